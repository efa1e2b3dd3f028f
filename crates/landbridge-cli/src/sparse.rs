//! Several strengths of sparse maps: chooses the one that finds the most held-out pairs.

use crate::Result;
use crate::failure::Failure;
use crate::methods::typed;
use crate::output::{Console, check_picture, write_picture};
use crate::progress::Watch;
use clap::Args;
use landbridge::data::{Dataset, Pairs};
use landbridge::method::{SparseAlignment, SparsePath};
use landbridge::params::{Given, Schema, Value, from_given};
use landbridge_plot::{Curve, LineChart};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(next_help_heading = "Several strengths (sparse)")]
pub(crate) struct PathArgs {
    /// sparse: several strengths; the one that finds the most held-out pairs is chosen
    #[arg(long, value_name = "X,X", value_delimiter = ',', allow_negative_numbers = true)]
    alphas: Option<Vec<f64>>,
    /// sparse, with --alphas: share of the pairs to hold out [default: 0.2]
    #[arg(long, value_name = "X", allow_negative_numbers = true, requires = "alphas")]
    held_out: Option<f64>,
    /// sparse, with --alphas: draw features used against held-out recall
    #[arg(long, value_name = "FILE", requires = "alphas")]
    path_plot: Option<PathBuf>,
}

impl PathArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.alphas.is_some()
    }

    /// Only sparse maps have strengths.
    pub(crate) fn check(&self, schema: &Schema) -> Result<()> {
        if self.is_given() && schema.name != "sparse" {
            let message = format!("--alphas is not an option of {}; it belongs to sparse", typed(schema.name));
            return Err(Failure::usage(message).hint("leave it out"));
        }
        Ok(())
    }

    /// If several strengths are given, sets the one that finds the most held-out pairs.
    pub(crate) fn choose(
        &self,
        given: &mut Given,
        datasets: &[Dataset],
        pairs: &Pairs,
        watch: &Watch,
        console: &Console,
    ) -> Result<Option<SparsePath>> {
        let Some(alphas) = &self.alphas else { return Ok(None) };
        if given.iter().any(|(name, _)| name == "alpha") {
            return Err(Failure::usage("--alpha and --alphas are both given").hint("give one of them"));
        }
        if let Some(file) = &self.path_plot {
            check_picture(file)?;
        }
        let share = self.held_out.unwrap_or(0.2);
        let method: SparseAlignment = from_given(given.clone())?;
        let path = watch.during(|progress| method.path(datasets, pairs, alphas, share, progress))?;
        for p in &path.points {
            let used: Vec<String> = p.features_used.iter().map(usize::to_string).collect();
            console.say(format!(
                "{:<8} alpha {:<8.4} held-out recall {:.3}, {:.1} % of the weights, features used {}",
                "path",
                p.alpha,
                p.recall,
                100.0 * p.density,
                used.join(", ")
            ));
        }
        if let Some(file) = &self.path_plot {
            write_picture(file, &picture(&path, datasets)?, console)?;
        }
        let best = path.best().map_or(alphas[0], |p| p.alpha);
        given.push(("alpha".into(), Value::Number(best)));
        Ok(Some(path))
    }
}

fn picture(path: &SparsePath, datasets: &[Dataset]) -> Result<String> {
    let best =
        path.best().map_or(String::new(), |p| format!("best alpha {:.3}: {:.1} % of the weights", p.alpha, 100.0 * p.density));
    let axes = ("features used", "held-out recall@1");
    let mut chart = LineChart::new("Features used and held-out recall").subtitle(best).axes(axes.0, axes.1);
    chart = chart.log_x(true).y_range(0.0, 1.0);
    for (a, dataset) in datasets.iter().enumerate() {
        let points = path.points.iter().map(|p| [p.features_used[a].max(1) as f64, p.recall]).collect();
        chart = chart.curve(Curve::new(dataset.name(), points));
    }
    Ok(chart.render()?)
}
