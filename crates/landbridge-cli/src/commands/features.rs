//! `landbridge features`: the features of largest weight in each component, the datasets side by side.

use crate::Result;
use crate::args::{Common, ModelArg};
use crate::output::Console;
use clap::Args;
use landbridge::apply::features::Feature;
use serde_json::json;

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge features en-it.lb                     # ten features of the first five components
  landbridge features en-it.lb --components 0,3 -n 20 --json";

#[derive(Debug, Args)]
pub(crate) struct FeaturesArgs {
    #[command(flatten)]
    model: ModelArg,
    /// Components to show, counted from 0, separated by commas [default: the first five]
    #[arg(long, value_name = "C,C", value_delimiter = ',')]
    components: Option<Vec<usize>>,
    /// Number of features per component
    #[arg(short, value_name = "N", default_value_t = 10)]
    n: usize,
    #[command(flatten)]
    pub(crate) common: Common,
}

fn label(feature: &Feature) -> String {
    feature.name.clone().unwrap_or_else(|| feature.column.to_string())
}

pub(crate) fn run(args: &FeaturesArgs, console: &Console) -> Result<()> {
    let alignment = args.model.load()?;
    let chosen = args.components.clone().unwrap_or_else(|| (0..alignment.n_components().min(5)).collect());
    let mut lists = vec![];
    for &component in &chosen {
        let sides = (0..alignment.datasets().len())
            .map(|a| alignment.top_features(a, component, args.n))
            .collect::<landbridge::Result<Vec<_>>>()?;
        lists.push((component, sides));
    }
    if console.json {
        let one = |f: &Feature| json!({"column": f.column, "name": f.name, "weight": f.weight});
        let component = |(c, sides): &(usize, Vec<Vec<Feature>>)| {
            let by_name: serde_json::Map<String, serde_json::Value> = alignment
                .datasets()
                .iter()
                .zip(sides)
                .map(|(d, features)| (d.name().to_string(), features.iter().map(one).collect()))
                .collect();
            json!({"component": c, "value": alignment.eigenvalues().get(*c), "features": by_name})
        };
        return console.print_json(&json!({"components": lists.iter().map(component).collect::<Vec<_>>()}));
    }
    for (component, sides) in &lists {
        let value = alignment.eigenvalues().get(*component).copied().unwrap_or(f64::NAN);
        console.print(&format!("component {component} (value {value:.4})\n"))?;
        for (dataset, features) in alignment.datasets().iter().zip(sides) {
            // The sign of a weight is relative: features of one sign go together, in all datasets.
            for (sign, keep) in [("+", true), ("−", false)] {
                let words: Vec<String> = features.iter().filter(|f| (f.weight > 0.0) == keep).map(label).collect();
                if !words.is_empty() {
                    console.print(&format!("  {:<12} {sign} {}\n", dataset.name(), words.join(" ")))?;
                }
            }
        }
    }
    Ok(())
}
