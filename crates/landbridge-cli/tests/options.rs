//! Every parameter of every method can be given on the command line, under the name it has in Rust and Python.

mod common;

use common::Folder;
use landbridge::params::{Kind, Param, Value};
use landbridge::registry;

fn option(param: &Param) -> String {
    format!("--{}", param.name.replace('_', "-"))
}

#[test]
fn help_of_a_method_lists_its_parameters_and_no_other() {
    let folder = Folder::empty();
    for (command, schemas) in [("fit", registry::methods()), ("embed", registry::embeddings())] {
        let everything: Vec<String> = schemas.iter().flat_map(|s| s.params.iter().map(option)).collect();
        for schema in schemas {
            let said = folder.run(&[command, &schema.name.replace('_', "-"), "--help"]);
            assert_eq!(said.code, 0, "{} {}: {}", command, schema.name, said.err);
            let words: Vec<&str> =
                said.out.split(|c: char| !(c.is_alphanumeric() || c == '-')).filter(|w| w.starts_with("--")).collect();
            for param in &schema.params {
                let on = param.default == Some(Value::Flag(true));
                let shown = if on { format!("--no-{}", param.name.replace('_', "-")) } else { option(param) };
                assert!(words.contains(&shown.as_str()), "{command} {}: {shown} is not in its help", schema.name);
            }
            let own: Vec<String> = schema.params.iter().map(option).collect();
            let foreign = everything.iter().find(|o| !own.contains(o) && words.contains(&o.as_str()));
            assert!(foreign.is_none(), "{command} {}: its help lists {foreign:?} of another method", schema.name);
        }
    }
}

/// A value other than the default that a fit of the small dataset accepts.
fn another(param: &Param) -> Option<String> {
    Some(match (&param.kind, &param.default) {
        (Kind::Flag, Some(Value::Flag(true))) => format!("--no-{}", param.name.replace('_', "-")),
        (Kind::Flag, Some(Value::Flag(false))) => option(param),
        (Kind::Flag, _) => format!("{}=true", option(param)),
        (Kind::Count, _) => format!("{}=3", option(param)),
        (Kind::Number, _) => format!("{}=0.25", option(param)),
        (Kind::Word(words), default) => {
            let other = words.iter().find(|w| *default != Some(Value::Text(w.name.into())) && w.name != "precomputed")?;
            format!("{}={}", option(param), other.name.replace('_', "-"))
        }
        _ => return None,
    })
}

/// The model keeps what was given, under the same name: no option is dropped on the way.
#[test]
fn what_is_given_reaches_the_model() {
    let folder = Folder::with_data();
    let mut tried = 0;
    for schema in registry::methods() {
        let name = schema.name.replace('_', "-");
        for param in schema.params.iter().filter(|p| !p.unsaved) {
            let Some(given) = another(param) else { continue };
            let mut args =
                vec!["fit", &name, "--json", "--label-column", "kind", "--pairs", "pairs.csv", "a.csv", "b.csv", "-o", "m.lb"];
            if schema.param("n_components").is_some() && param.name != "n_components" && schema.family != "two_step" {
                args.extend(["-d", "2"]);
            }
            let needed = match (schema.name, param.name) {
                // What only some embeddings, penalties or distances have.
                ("procrustes" | "affine", name) => {
                    let with = param.only_for.first().copied().unwrap_or("laplacian");
                    let mut needed = vec![];
                    if name != "embedding" {
                        needed.extend(["--embedding".to_string(), with.to_string()]);
                    }
                    if name != "n_components" && with != "none" && name != "embedding" {
                        needed.extend(["-d".to_string(), "2".into()]);
                    }
                    needed
                }
                ("sparse", "beta") => vec!["--penalty=fused".to_string()],
                _ => vec![],
            };
            args.extend(needed.iter().map(String::as_str));
            args.push(&given);
            let said = folder.run(&args);
            // Some values cannot be fitted to these data; what matters is that the option is understood.
            assert!(!said.err.contains("unexpected argument") && !said.err.contains("invalid value"), "{args:?}: {}", said.err);
            if said.code != 0 {
                continue;
            }
            let kept = serde_json::from_str::<serde_json::Value>(&said.out).unwrap()["params"][param.name].clone();
            assert_ne!(Some(kept), param.default.as_ref().map(Value::to_json), "{args:?}");
            tried += 1;
        }
    }
    assert!(tried > 80, "only {tried} options were tried");
}

#[test]
fn an_option_of_another_method_is_refused_with_the_right_one_named() {
    let folder = Folder::with_data();
    let said = folder.run(&["fit", "cca", "-d", "2", "--mu", "3", "--pairs", "pairs.csv", "a.csv", "b.csv", "-o", "m.lb"]);
    said.failed(2, "--mu is not an option of cca; it belongs to linear, instance");
    let said =
        folder.run(&["fit", "linear", "-d", "2", "--pairs", "pairs.csv", "a.csv", "b.csv", "-o", "m.lb", "--n-neighbours", "5"]);
    said.failed(2, "--n-neighbors");
}

#[test]
fn both_spellings_of_a_method_and_of_its_words_are_the_same() {
    let folder = Folder::with_data();
    let fit = |how: &[&str], out: &str| {
        let rest = ["--label-column", "kind", "--pairs", "pairs.csv", "a.csv", "b.csv", "-o", out];
        folder.run(&[how, &rest].concat()).succeeded();
        folder.read(out)
    };
    let first = fit(&["fit", "linear", "-d", "2", "--prepare", "center-unit"], "1.lb");
    assert!(first == fit(&["fit", "-d", "2", "--method", "linear", "--prepare", "center_unit"], "2.lb"));
    assert!(first == fit(&["fit", "--method=linear", "--n-components", "2", "--prepare=center-unit", "--ridge", "auto"], "3.lb"));
    let first = fit(&["fit", "pair-similarity"], "4.lb");
    assert!(first == fit(&["fit", "pair_similarity"], "5.lb"));
}

#[test]
fn methods_lists_them_all() {
    let folder = Folder::empty();
    let said = folder.run(&["methods"]);
    registry::methods().iter().for_each(|s| assert!(said.out.contains(&s.name.replace('_', "-")), "{}", s.name));
    let json: serde_json::Value = serde_json::from_str(&folder.run(&["methods", "linear", "--json"]).out).unwrap();
    assert_eq!(json["methods"][0]["class"], "LinearAlignment");
    folder.run(&["methods", "linaer"]).failed(2, "did you mean \"linear\"?");
}
