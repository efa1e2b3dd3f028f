//! Methods and embeddings on the command line: their options, made from the declarations of the library.

use crate::Result;
use crate::failure::Failure;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use landbridge::data::Rows;
use landbridge::linalg::{Csr, Matrix};
use landbridge::params::{Given, Kind, Param, Schema, Value};
use landbridge::registry;
use landbridge_io::{ReadOptions, read_matrix};
use std::collections::HashMap;
use std::path::Path;

/// A name as it is typed: with dashes.
pub(crate) fn typed(name: &str) -> String {
    name.replace('_', "-")
}

/// The id of a parameter among the arguments, distinct from those of files and output.
fn id(name: &str) -> String {
    format!("parameter:{name}")
}

/// The id of the negation of a flag.
fn negated(name: &str) -> String {
    format!("no:{name}")
}

/// Options of `fit` that only sparse maps have; the help of other methods does not show them.
const SPARSE_ONLY: [&str; 3] = ["alphas", "held_out", "path_plot"];

/// A command with a subcommand for each method, which has the method's options and the shared ones.
pub(crate) fn with_methods(command: Command, schemas: &[&'static Schema], shared: impl Fn(Command) -> Command) -> Command {
    let mut command = command.subcommand_required(true).subcommand_value_name("METHOD").subcommand_help_heading("Methods");
    for schema in schemas {
        let about = format!("{} Choose it when: {}.", summary(schema), schema.choose);
        // The shared arguments bring a description of their own; that of the method counts.
        let mut own = shared(Command::new(typed(schema.name))).about(schema.choose).long_about(about);
        for id in SPARSE_ONLY.into_iter().filter(|_| schema.name != "sparse") {
            if own.get_arguments().any(|a| a.get_id() == id) {
                own = own.mut_arg(id, |a| a.hide(true));
            }
        }
        if matches!(schema.family, "self_training" | "votes") && own.get_arguments().any(|a| a.get_id() == "self_train") {
            own = own.mut_arg("self_train", |a| a.hide(true));
        }
        for param in &schema.params {
            own = own.args(options(param));
        }
        command = command.subcommand(own);
    }
    command
}

fn summary(schema: &Schema) -> String {
    schema.summary().replace("[`", "`").replace("`]", "`")
}

/// The options of one parameter: itself and, for a flag that is on by default, its negation.
fn options(param: &Param) -> Vec<Arg> {
    let mut help = param.doc.lines().take_while(|l| !l.trim().is_empty()).collect::<Vec<_>>().join(" ");
    if help.ends_with('.') {
        help.pop();
    }
    if !param.only_for.is_empty() && param.only_for.len() < registry::embeddings().len() && param.heading == "Embedding" {
        help = format!("{}: {help}", param.only_for.join(", "));
    }
    let name = typed(param.name);
    let base = Arg::new(id(param.name)).long(name.clone()).help_heading(param.heading).value_parser(Parser(param.clone()));
    let base = match param.alias {
        Some(alias) if param.kind != Kind::Flag => base.alias(alias),
        _ => base,
    };
    let base = if param.name == "n_components" { base.short('d') } else { base };
    let on = param.default == Some(Value::Flag(true));
    if param.kind == Kind::Flag && !param.optional {
        let given = base
            .action(ArgAction::Set)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .hide_possible_values(true);
        if !on {
            return vec![given.value_name("BOOL").help(help)];
        }
        let off = Arg::new(negated(param.name)).long(format!("no-{name}")).action(ArgAction::SetTrue);
        let off =
            off.help_heading(param.heading).help(format!("Switch off: {help} [default: on]")).conflicts_with(id(param.name));
        let off = match param.alias {
            Some(alias) => off.alias(alias),
            None => off,
        };
        return vec![given.hide(true), off];
    }
    let file = matches!(param.kind, Kind::Graphs | Kind::Matrices | Kind::Order | Kind::Groups);
    let value_name = match param.kind {
        Kind::Flag => "BOOL",
        Kind::Count => "N",
        Kind::Number if param.auto => "X|auto",
        Kind::Number => "X",
        Kind::Method => "METHOD[:NAME=VALUE,...]",
        _ if file => "FILE,FILE",
        _ => "WORD",
    };
    let told = match (&param.default, param.optional) {
        (None, _) => " [required]".to_string(),
        (Some(Value::None), _) if !param.auto => String::new(),
        _ => format!(" [default: {}]", typed(&param.default_text())),
    };
    let base = base.action(ArgAction::Set).value_name(value_name).allow_negative_numbers(true).help(help + &told);
    vec![if file { base.value_delimiter(',').action(ArgAction::Append) } else { base }]
}

/// Reads a value as the declaration says.
#[derive(Clone)]
struct Parser(Param);

impl TypedValueParser for Parser {
    type Value = Value;
    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> std::result::Result<Value, clap::Error> {
        let text = value.to_string_lossy();
        value_of(&self.0, &text).ok_or_else(|| {
            let mut error = clap::Error::new(clap::error::ErrorKind::InvalidValue).with_cmd(command);
            if let Some(arg) = arg {
                error.insert(clap::error::ContextKind::InvalidArg, clap::error::ContextValue::String(arg.to_string()));
            }
            error.insert(clap::error::ContextKind::InvalidValue, clap::error::ContextValue::String(text.into_owned()));
            let words: Vec<String> = self.0.words().iter().map(|w| typed(w.name)).collect();
            if !words.is_empty() {
                error.insert(clap::error::ContextKind::ValidValue, clap::error::ContextValue::Strings(words));
            }
            error
        })
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let words = self.0.words();
        if words.is_empty() {
            return None;
        }
        let value = |w: &landbridge::params::Word| {
            let doc = w.doc.lines().next().unwrap_or_default().trim_end_matches('.').to_string();
            PossibleValue::new(typed(w.name)).help(doc)
        };
        Some(Box::new(words.iter().map(value)))
    }
}

/// Parses a value; `None` if it is of another type.
pub(crate) fn value_of(param: &Param, text: &str) -> Option<Value> {
    if text == "auto" && (param.auto || param.default == Some(Value::Text("auto".into()))) {
        return Some(Value::Text("auto".into()));
    }
    match param.kind {
        Kind::Flag => text.parse().ok().map(Value::Flag),
        Kind::Count => text.parse::<u64>().ok().map(|n| Value::Int(n.into())),
        Kind::Number => text.parse().ok().map(Value::Number),
        Kind::Word(words) => {
            let word = text.replace('-', "_");
            words.iter().any(|w| w.name == word).then_some(Value::Text(word))
        }
        Kind::Method => described(text).ok(),
        // File names; the files are read later.
        _ => Some(Value::Text(text.into())),
    }
}

/// A method with parameters in one word: `linear:n_components=50,mu=3`.
pub(crate) fn described(text: &str) -> Result<Value> {
    let (name, list) = text.split_once(':').unwrap_or((text, ""));
    let schema = registry::schema(name)?;
    let mut given: Given = vec![];
    for part in list.split(',').filter(|p| !p.is_empty()) {
        let (key, value) =
            part.split_once('=').ok_or_else(|| Failure::usage(format!("{part:?} of {text:?} is not NAME=VALUE")))?;
        let key = key.trim().replace('-', "_");
        let value = match schema.param(&key) {
            None => Value::Text(value.into()),
            Some(param) => value_of(param, value.trim())
                .ok_or_else(|| Failure::usage(format!("{key} of {name} is {value:?}; it must be {}", param.expected())))?,
        };
        given.push((key, value));
    }
    Ok(Value::Method(schema.name.into(), given))
}

/// The given parameters of a method; reads the files among them.
pub(crate) fn given(schema: &Schema, matches: &ArgMatches) -> Result<Given> {
    let mut given: Given = vec![];
    for param in &schema.params {
        if param.default == Some(Value::Flag(true)) && matches.get_flag(&negated(param.name)) {
            given.push((param.name.into(), Value::Flag(false)));
        }
        let key = id(param.name);
        if matches.value_source(&key) != Some(ValueSource::CommandLine) {
            continue;
        }
        let mut values = matches.get_many::<Value>(&key).into_iter().flatten().cloned();
        let value = match param.kind {
            Kind::Graphs => Value::Graphs(values.map(|v| of_file(&v, sparse)).collect::<Result<_>>()?),
            Kind::Matrices => Value::Matrices(values.map(|v| of_file(&v, dense)).collect::<Result<_>>()?),
            Kind::Order => Value::List(values.map(|v| of_file(&v, order)).collect::<Result<_>>()?),
            Kind::Groups => Value::List(values.map(|v| of_file(&v, groups)).collect::<Result<_>>()?),
            _ => match values.next() {
                Some(value) => value,
                None => continue,
            },
        };
        given.push((param.name.into(), value));
    }
    for param in schema.params.iter().filter(|p| p.default.is_none()) {
        if !given.iter().any(|(name, _)| name == param.name) {
            let short =
                if param.name == "n_components" { "-d (--n-components)".to_string() } else { format!("--{}", typed(param.name)) };
            let what = param.summary().to_lowercase();
            return Err(Failure::usage(format!("{} needs {short}: {what}", typed(schema.name))).hint("for example -d 20"));
        }
    }
    Ok(given)
}

fn of_file<T>(name: &Value, read: impl Fn(&Path) -> Result<T>) -> Result<T> {
    match name {
        Value::Text(path) => read(Path::new(path)),
        _ => Err(Failure::usage("a file is expected")),
    }
}

fn sparse(path: &Path) -> Result<Csr> {
    Ok(match read_matrix(path, &ReadOptions::default())?.rows {
        Rows::Sparse(graph) => graph,
        Rows::F64(dense) => Csr::from_dense(&dense),
        Rows::F32(dense) => Csr::from_dense(&dense.to_f64()),
    })
}

fn dense(path: &Path) -> Result<Matrix<f64>> {
    Ok(match read_matrix(path, &ReadOptions::default())?.rows {
        Rows::F64(m) => m,
        Rows::F32(m) => m.to_f64(),
        Rows::Sparse(m) => m.to_dense(),
    })
}

fn lines(path: &Path) -> Result<Vec<String>> {
    let text =
        std::fs::read_to_string(path).map_err(|source| landbridge::Error::Io { path: path.into(), action: "read", source })?;
    Ok(text.lines().map(|l| l.trim().to_string()).filter(|l| !l.is_empty()).collect())
}

/// The number of a column (from 0) per line.
fn order(path: &Path) -> Result<Value> {
    let number = |(at, line): (usize, String)| {
        line.parse::<u32>()
            .map(|n| Value::Int(n.into()))
            .map_err(|_| Failure::usage(format!("{} line {}: {line:?} is not the number of a column", path.display(), at + 1)))
    };
    Ok(Value::List(lines(path)?.into_iter().enumerate().map(number).collect::<Result<_>>()?))
}

/// A label per line for each column: columns with the same label are a group, in the order in which labels first occur.
fn groups(path: &Path) -> Result<Value> {
    let mut groups: Vec<Vec<Value>> = vec![];
    let mut known = HashMap::new();
    for (column, label) in lines(path)?.into_iter().enumerate() {
        let at = *known.entry(label).or_insert_with(|| {
            groups.push(vec![]);
            groups.len() - 1
        });
        groups[at].push(Value::Int(column as i128));
    }
    Ok(Value::List(groups.into_iter().map(Value::List).collect()))
}

/// The methods (or embeddings) that have an option of that name, for the error message of another one.
pub(crate) fn owners(option: &str, schemas: Vec<&'static Schema>) -> Vec<String> {
    let name = option.trim_start_matches('-').split('=').next().unwrap_or_default();
    let name = match name.strip_prefix("no-").unwrap_or(name) {
        "d" => "n_components".to_string(),
        long => long.replace('-', "_"),
    };
    let has =
        |s: &&'static Schema| s.params.iter().any(|p| p.name == name || p.alias.is_some_and(|a| a.replace('-', "_") == name));
    schemas.into_iter().filter(has).map(|s| typed(s.name)).collect()
}
