//! `landbridge methods`: the methods, and when to choose which.

use crate::Result;
use crate::args::Common;
use crate::methods::typed;
use crate::output::Console;
use clap::Args;
use landbridge::params::{Param, Schema};
use landbridge::registry::{self, Preset};
use serde_json::json;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge methods                  # all methods, and when to choose which
  landbridge methods linear           # one method with its parameters
  landbridge methods --json           # the declaration of every parameter";

#[derive(Debug, Args)]
pub(crate) struct MethodsArgs {
    /// One method only, with its parameters
    #[arg(value_name = "METHOD")]
    method: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: &MethodsArgs, console: &Console) -> Result<()> {
    let chosen = match &args.method {
        Some(name) => vec![registry::schema(name)?],
        None => registry::methods(),
    };
    if console.json {
        let embeddings = if args.method.is_some() { vec![] } else { registry::embeddings() };
        let list = |schemas: &[&Schema]| schemas.iter().map(|s| s.to_json()).collect::<Vec<_>>();
        let presets: Vec<_> =
            registry::presets().iter().filter(|p| chosen.iter().any(|s| s.name == p.method)).map(Preset::to_json).collect();
        return console.print_json(&json!({"methods": list(&chosen), "embeddings": list(&embeddings), "presets": presets}));
    }
    let mut lines = vec![];
    let width = chosen.iter().map(|s| s.name.len()).max().unwrap_or(0);
    for schema in &chosen {
        lines.push(format!("{:<width$}  {}", typed(schema.name), schema.choose));
    }
    match (&args.method, &chosen[..]) {
        (Some(_), [schema]) => {
            lines.push(String::new());
            lines.extend(schema.params.iter().map(described));
            lines.push(format!("\nPaper: {}. Python: {}.", schema.paper, schema.class));
            lines.extend(registry::presets().iter().filter(|p| p.method == schema.name).map(printed));
        }
        _ => {
            lines.push("\nAs papers print them (fit METHOD --preset NAME):".into());
            lines.extend(registry::presets().iter().map(printed));
            lines.push("\nlandbridge methods METHOD lists its parameters, landbridge fit METHOD --help its options.".into());
        }
    }
    console.print(&(lines.join("\n") + "\n"))
}

fn printed(preset: &Preset) -> String {
    let given: Vec<String> = preset.given.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let given = if given.is_empty() { "the defaults".into() } else { given.join(", ") };
    format!("  {:<22} {}: {given} ({})", typed(preset.name), typed(preset.method), preset.paper)
}

fn described(param: &Param) -> String {
    format!("  {:<22} {:<12} {}", param.name, param.default_text(), param.summary())
}
