//! What scripts rely on: the commands and their options, in api/cli.txt. A test fails when they change and the list does not, another
//! when one of them has no help.

use crate::args::command;
use clap::{Arg, Command};
use std::path::Path;

/// One line: how the option is typed, what it takes, and which words it knows.
fn option(arg: &Arg) -> String {
    let mut names: Vec<String> =
        arg.get_short_and_visible_aliases().unwrap_or_default().iter().map(|s| format!("-{s}")).collect();
    names.extend(arg.get_long().map(|long| format!("--{long}")));
    names.extend(arg.get_all_aliases().unwrap_or_default().iter().map(|alias| format!("--{alias}")));
    let takes = arg.get_action().takes_values() && (arg.is_positional() || !arg.get_value_names().unwrap_or_default().is_empty());
    if takes {
        names.extend(arg.get_value_names().unwrap_or_default().iter().map(|name| format!("<{name}>")));
    }
    let mut words: Vec<String> = arg.get_possible_values().iter().map(|word| word.get_name().to_string()).collect();
    words.retain(|word| word != "true" && word != "false");
    if !words.is_empty() {
        names.push(format!("({})", words.join(" ")));
    }
    if arg.is_required_set() {
        names.push("required".into());
    }
    names.join(" ")
}

fn describe(own: &Command, name: &str, text: &mut String) {
    if own.is_hide_set() || own.get_name() == "help" {
        return;
    }
    text.push_str(&format!("{name}\n"));
    let mut lines: Vec<String> = own.get_arguments().map(|arg| format!("    {}\n", option(arg))).collect();
    lines.sort();
    text.extend(lines);
    let mut inner: Vec<&Command> = own.get_subcommands().collect();
    inner.sort_by_key(|c| c.get_name());
    inner.iter().for_each(|c| describe(c, &format!("{name} {}", c.get_name()), text));
}

#[test]
fn commands_and_options_are_those_of_the_list() {
    let mut text = String::from(
        "# Commands and options of `landbridge`. `cargo xtask api` writes this file; VERSIONING.md says what may change.\n",
    );
    let mut whole = command();
    whole.build();
    describe(&whole, "landbridge", &mut text);
    assert!(text.lines().filter(|l| l.starts_with("landbridge ")).count() > 40, "the walk does not reach the methods any more");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("")).join("api/cli.txt");
    if std::env::var_os("LANDBRIDGE_WRITE_API").is_some() {
        std::fs::write(&path, &text).expect("api/cli.txt can be written");
    }
    let listed = std::fs::read_to_string(&path).expect("api/cli.txt is there");
    let gone: Vec<&str> = listed.lines().filter(|l| !text.lines().any(|m| m == *l)).collect();
    let new: Vec<&str> = text.lines().filter(|l| !listed.lines().any(|m| m == *l)).collect();
    assert!(
        listed == text,
        "api/cli.txt does not list the command line as it is. Gone: {gone:#?}\nNew: {new:#?}\nIf you mean the change, run `cargo xtask api`"
    );
}

/// Puts the commands, options and words that `own` and its commands show without a sentence about them into `missing`; how many options
/// there are.
fn unexplained(own: &Command, name: &str, missing: &mut Vec<String>) -> usize {
    let said = |text: Option<String>| text.is_some_and(|text| text.split_whitespace().count() >= 2);
    if !said(own.get_about().map(ToString::to_string)) {
        missing.push(name.to_string());
    }
    let mut seen = 0;
    // Hidden is the opposite of an option that help shows: `--balance` of `--no-balance`.
    for arg in own.get_arguments().filter(|arg| !arg.is_hide_set()) {
        seen += 1;
        let help = arg.get_help().or(arg.get_long_help()).map(ToString::to_string);
        // The names of shells say what they are.
        let shown = !arg.is_hide_possible_values_set() && arg.get_id() != "shell";
        for word in arg.get_possible_values().iter().filter(|word| shown && !word.is_hide_set()) {
            if word.get_help().is_none() && !help.as_ref().is_some_and(|help| help.contains(word.get_name())) {
                missing.push(format!("{name} {}: the word {}", option(arg), word.get_name()));
            }
        }
        if !said(help) {
            missing.push(format!("{name} {}", option(arg)));
        }
    }
    for inner in own.get_subcommands().filter(|inner| !inner.is_hide_set() && inner.get_name() != "help") {
        seen += unexplained(inner, &format!("{name} {}", inner.get_name()), missing);
    }
    seen
}

#[test]
fn every_command_option_and_word_has_help() {
    let mut whole = command();
    whole.build();
    let mut missing = vec![];
    assert!(unexplained(&whole, "landbridge", &mut missing) > 500, "the walk does not reach the options of the methods");
    assert_eq!(missing, Vec::<String>::new(), "these need a sentence in their help");
}
