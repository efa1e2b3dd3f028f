//! Options of sparse maps, and the choice of their strength by pairs that are held out.

use crate::Result;
use crate::failure::Failure;
use crate::output::{Console, check_target, write_text};
use crate::progress::Watch;
use clap::{Args, ValueEnum};
use landbridge::data::{Dataset, Pairs};
use landbridge::method::{Level, SparseAlignment, SparsePath, SparsePenalty};
use landbridge_plot::{Curve, LineChart};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum PenaltyArg {
    /// Few weights
    Lasso,
    /// Few weights, spread over features that go together
    ElasticNet,
    /// Features (or groups of them) in or out as a whole
    Group,
    /// Few weights, neighbouring features alike
    Fused,
    /// Small weights
    None,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Sparse maps")]
pub(crate) struct SparseArgs {
    /// sparse: what keeps weights at 0 [default: lasso]
    #[arg(long, value_name = "PENALTY", value_enum)]
    penalty: Option<PenaltyArg>,
    /// sparse: strength, as a share of the smallest that leaves no weight [default: 0.02]
    #[arg(long, value_name = "X", allow_negative_numbers = true, conflicts_with = "alphas")]
    alpha: Option<f64>,
    /// sparse: several strengths; the one that finds most of the held-out pairs is taken
    #[arg(long, value_name = "X,X", value_delimiter = ',', allow_negative_numbers = true)]
    alphas: Option<Vec<f64>>,
    /// sparse, with --alphas: share of the pairs to judge by [default: 0.2]
    #[arg(long, value_name = "X", allow_negative_numbers = true, requires = "alphas")]
    held_out: Option<f64>,
    /// sparse, with --alphas: draw features used against held-out recall
    #[arg(long, value_name = "FILE.svg", requires = "alphas")]
    path_plot: Option<PathBuf>,
    /// sparse: second strength: of differences (fused), of the ridge (elastic-net, none)
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    beta: Option<f64>,
    /// sparse: --alpha and --beta as they stand in the objective
    #[arg(long)]
    absolute: bool,
    /// sparse: fit the chosen weights anew with this ridge
    #[arg(long, value_name = "RIDGE", allow_negative_numbers = true)]
    refit: Option<f64>,
    /// sparse, group: one file per dataset, a label per line for each column
    #[arg(long, value_name = "FILE,FILE", value_delimiter = ',')]
    feature_groups: Option<Vec<PathBuf>>,
    /// sparse, fused: one file per dataset, the number of a column (from 0) per line
    #[arg(long, value_name = "FILE,FILE", value_delimiter = ',')]
    feature_order: Option<Vec<PathBuf>>,
}

fn lines(path: &Path) -> Result<Vec<String>> {
    let text =
        std::fs::read_to_string(path).map_err(|source| landbridge::Error::Io { path: path.into(), action: "read", source })?;
    Ok(text.lines().map(|l| l.trim().to_string()).filter(|l| !l.is_empty()).collect())
}

/// Columns with the same label, in the order in which labels first occur.
fn groups(path: &Path) -> Result<Vec<Vec<u32>>> {
    let (mut labels, mut groups): (Vec<String>, Vec<Vec<u32>>) = (vec![], vec![]);
    let mut known = std::collections::HashMap::new();
    for (column, label) in lines(path)?.into_iter().enumerate() {
        let at = *known.entry(label.clone()).or_insert_with(|| {
            labels.push(label);
            groups.push(vec![]);
            groups.len() - 1
        });
        groups[at].push(column as u32);
    }
    Ok(groups)
}

fn order(path: &Path) -> Result<Vec<u32>> {
    let number = |(at, line): (usize, String)| {
        line.parse()
            .map_err(|_| Failure::usage(format!("{}: line {} is \"{line}\", not the number of a column", path.display(), at + 1)))
    };
    lines(path)?.into_iter().enumerate().map(number).collect()
}

impl SparseArgs {
    /// Every option and whether it is given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 8] {
        [
            ("--penalty", self.penalty.is_some()),
            ("--alpha", self.alpha.is_some()),
            ("--alphas", self.alphas.is_some()),
            ("--beta", self.beta.is_some()),
            ("--absolute", self.absolute),
            ("--refit", self.refit.is_some()),
            ("--feature-groups", self.feature_groups.is_some()),
            ("--feature-order", self.feature_order.is_some()),
        ]
    }

    /// The method, but for what all methods with graphs share.
    pub(crate) fn method(&self, n_components: usize, level: Level) -> Result<SparseAlignment> {
        let mut method =
            SparseAlignment::new(n_components).level(level).beta(self.beta).relative(!self.absolute).refit(self.refit);
        if let Some(alpha) = self.alpha {
            method = method.alpha(alpha);
        }
        if let Some(penalty) = self.penalty {
            method = method.penalty(match penalty {
                PenaltyArg::Lasso => SparsePenalty::Lasso,
                PenaltyArg::ElasticNet => SparsePenalty::ElasticNet,
                PenaltyArg::Group => SparsePenalty::Group,
                PenaltyArg::Fused => SparsePenalty::Fused,
                PenaltyArg::None => SparsePenalty::None,
            });
        }
        if let Some(paths) = &self.feature_groups {
            method = method.groups(Some(paths.iter().map(|p| groups(p)).collect::<Result<_>>()?));
        }
        if let Some(paths) = &self.feature_order {
            method = method.order(Some(paths.iter().map(|p| order(p)).collect::<Result<_>>()?));
        }
        Ok(method)
    }

    /// With the strength that finds most of the held-out pairs, where several are given.
    pub(crate) fn choose(
        &self,
        method: SparseAlignment,
        datasets: &[Dataset],
        pairs: &Pairs,
        watch: &Watch,
        console: &Console,
    ) -> Result<(SparseAlignment, Option<SparsePath>)> {
        let Some(alphas) = &self.alphas else { return Ok((method, None)) };
        if let Some(file) = &self.path_plot {
            check_target(file)?;
        }
        let share = self.held_out.unwrap_or(0.2);
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
            write_text(file, &picture(&path, datasets)?)?;
        }
        let best = path.best().map_or(alphas[0], |p| p.alpha);
        Ok((method.alpha(best), Some(path)))
    }
}

fn picture(path: &SparsePath, datasets: &[Dataset]) -> Result<String> {
    let best =
        path.best().map_or(String::new(), |p| format!("best alpha {:.3}: {:.1} % of the weights", p.alpha, 100.0 * p.density));
    let axes = ("features used", "held-out recall@1");
    let mut chart = LineChart::new("Features used and what they find").subtitle(best).axes(axes.0, axes.1);
    chart = chart.log_x(true).y_range(0.0, 1.0);
    for (a, dataset) in datasets.iter().enumerate() {
        let points = path.points.iter().map(|p| [p.features_used[a].max(1) as f64, p.recall]).collect();
        chart = chart.curve(Curve::new(dataset.name(), points));
    }
    Ok(chart.render()?)
}
