//! Numerical invariants of every method in the registry, on rows of double and single precision and sparse rows, of two and three
//! datasets. A method that does not promise one says so in its declaration (`unpromised`).

#[path = "invariants/data.rs"]
mod data;
#[path = "invariants/properties.rs"]
mod properties;

use data::{Stored, Variant, defaults, variants};
use landbridge::registry;
use properties::Property;
use std::collections::BTreeSet;

/// Why a property does not hold, for every way to store two and three datasets.
fn failures(variant: &Variant, property: &Property) -> Vec<String> {
    let mut wrong = vec![];
    for stored in [Stored::F64, Stored::F32, Stored::Sparse] {
        for count in [2, 3] {
            if let Err(why) = (property.holds)(variant, stored, count) {
                wrong.push(format!("{}: {}: {stored:?}, {count} datasets: {why}", variant.name(), property.word));
            }
        }
    }
    wrong
}

#[test]
fn every_method_keeps_what_it_promises() {
    let (mut wrong, mut checks) = (vec![], 0);
    for variant in defaults() {
        for property in properties::all() {
            let unpromised = variant.schema.unpromised.iter().any(|(word, _)| *word == property.word);
            let found = failures(&variant, &property);
            checks += 6;
            match (unpromised, found.is_empty()) {
                (false, _) => wrong.extend(found),
                (true, true) => wrong.push(format!("{} has {}: take it from `unpromised`", variant.name(), property.word)),
                (true, false) => {}
            }
        }
    }
    println!("{checks} checks");
    assert!(wrong.is_empty(), "{} of {checks}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn declarations_name_properties_and_reasons() {
    let may: BTreeSet<&str> = properties::all().iter().filter(|p| p.may_be_missed).map(|p| p.word).collect();
    for schema in registry::methods() {
        for (word, why) in schema.unpromised {
            assert!(
                may.contains(word),
                "{}: \"{word}\" is promised by every method; those that need not be: {may:?}",
                schema.name
            );
            assert!(why.len() > 20 && !why.ends_with('.'), "{}: {word}: \"{why}\"", schema.name);
        }
    }
    for schema in registry::embeddings() {
        assert!(schema.unpromised.is_empty(), "{}: embeddings are tested by two-step methods", schema.name);
    }
}

/// Words whose meaning depends on the scale, on the axes, or on what is stored.
fn depends(variant: &Variant, property: &str) -> bool {
    let changed = variant.changed.as_deref().unwrap_or_default();
    let counts = ["counts", "counts_standardize", "peaks", "proteins", "log_tfidf", "standardize"];
    let axes = counts.iter().any(|word| changed == format!("prepare=\"{word}\""));
    let given = variant.schema.unpromised.iter().any(|(word, _)| *word == property);
    given || (axes && matches!(property, "scale" | "rotation" | "repeated"))
}

/// Every word and flag of every declaration, one at a time. Minutes: only with `LANDBRIDGE_SLOW=1`.
#[test]
fn every_word_of_every_declaration_gives_a_finite_answer_or_says_why_not() {
    if std::env::var_os("LANDBRIDGE_SLOW").is_none() {
        return;
    }
    let (mut wrong, mut checks, mut refused) = (vec![], 0, 0);
    for variant in variants().into_iter().filter(|v| v.changed.is_some() && v.schema.name != "self_training") {
        for property in properties::all() {
            // How far results move is tested with the defaults.
            if !matches!(property.word, "threads" | "duplicates" | "condition" | "rank_one" | "wide" | "parts" | "scale") {
                continue;
            }
            for why in failures(&variant, &property) {
                // Words for counts refuse other numbers; searches and levels refuse what they cannot do.
                let said =
                    ["prepares counts", "must be", "it must", "is not defined", "at most", "do not vary", "distances move"];
                match said.iter().any(|words| why.contains(words)) || depends(&variant, property.word) {
                    true => refused += 1,
                    false => wrong.push(why),
                }
            }
            checks += 6;
        }
    }
    println!("{checks} checks, {refused} refused with a reason");
    assert!(wrong.is_empty(), "{} of {checks}:\n{}", wrong.len(), wrong.join("\n"));
}
