//! `landbridge demo`: what the program does, on made-up data with known truth.

use crate::Result;
use crate::args::Common;
use crate::failure::Failure;
use crate::output::{Console, check_target, counted, datasets_json, outcome_json, stdout_has_color, write_text};
use crate::picture::{Axes, figure, joint_panel};
use crate::progress::Watch;
use crate::scores::score;
use clap::{Args, ValueEnum};
use landbridge::data::synthetic::{BranchingTrees, SwissRolls, Synthetic, ThinChains};
use landbridge::data::{Link, Pairs};
use landbridge::geometry::neighbors::Metric;
use landbridge::method::InstanceAlignment;
use landbridge_io::{Table, TableOptions, write_matrix, write_table};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge demo
  landbridge demo trees -o trees.svg
  landbridge demo rolls --data demo-data   # also the data as csv files";

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Story {
    /// One sheet, bent to a swiss roll and to an S
    Rolls,
    /// A branching trajectory, measured as genes and as peaks
    Trees,
    /// A long strip, straight and bent
    Chains,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// What is aligned
    #[arg(value_name = "STORY", value_enum, default_value = "rolls")]
    story: Story,
    /// Picture to write
    #[arg(short, long, value_name = "FILE", default_value = "demo.svg")]
    output: PathBuf,
    /// Folder for the datasets, pairs and truth as csv, to go on with
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The data of a story, and how it is aligned.
struct Plan {
    what: &'static str,
    data: Synthetic,
    n_components: usize,
    n_pairs: usize,
}

impl Story {
    fn plan(self) -> landbridge::Result<Plan> {
        // Rows of the second dataset are shuffled: their order gives nothing away.
        Ok(match self {
            Story::Rolls => Plan {
                what: "one sheet of paper, bent to a swiss roll and to an S",
                data: SwissRolls::new(1000).noise(0.1).shuffle(true).generate()?,
                n_components: 10,
                n_pairs: 100,
            },
            Story::Trees => Plan {
                what: "cells along a branching trajectory, measured as genes and as peaks",
                data: BranchingTrees::new(600).shuffle(true).generate()?,
                n_components: 10,
                n_pairs: 60,
            },
            Story::Chains => Plan {
                what: "a long strip, once straight and once bent",
                data: ThinChains::new(600).width(3.0).noise(0.2).shuffle(true).generate()?,
                n_components: 10,
                n_pairs: 60,
            },
        })
    }
}

pub(crate) fn run(args: &DemoArgs, console: &Console) -> Result<()> {
    if !args.output.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg")) {
        return Err(Failure::usage(format!("{}: pictures are written as .svg", args.output.display())));
    }
    check_target(&args.output)?;
    let watch = Watch::start(console);
    let Plan { what, data, n_components, n_pairs } = args.story.plan()?;
    let axes = Axes::Two(0, 1);
    let pairs = data.pairs(n_pairs, 0)?;
    let (first, second) = (&data.datasets[0], &data.datasets[1]);
    console.say(format!("Two datasets that share no features: {what}."));
    for d in &data.datasets {
        console.say(format!("  {:<9} {} × {}", d.name(), counted(d.nrows(), "row"), counted(d.ncols(), "feature")));
    }
    console.say(format!(
        "Given to the method: {n_pairs} of {} pairs ({:.0} %). Unknown: which of the other rows belong together.\n",
        data.n_shared(),
        100.0 * n_pairs as f64 / data.n_shared() as f64
    ));

    let alignment = watch.during(|progress| InstanceAlignment::new(n_components).fit_with(&data.datasets, &pairs, progress))?;
    let truth = Pairs::from_table(&data.truth)?;
    let scores = score(&alignment, truth.links(), &[1, 10], Metric::Euclidean)?;
    let (mut figure, _) = watch.during(|progress| figure(&alignment, axes, true, progress))?;
    if let Some(headline) = scores.first().and_then(|s| s.headline()) {
        figure = figure.subtitle(format!(
            "instance alignment, {n_pairs} known pairs · recall@1 {:.2} on the other {} (chance {:.4})",
            headline.held_out.unwrap_or_default(),
            scores[0].held_out,
            headline.chance
        ));
    }
    let svg = figure.render()?;
    watch.during(|_| write_text(&args.output, &svg))?;
    if let Some(folder) = &args.data {
        write_data(folder, &data, &pairs)?;
    }
    if console.json {
        return console.print_json(&json!({
            "story": args.story.to_possible_value().map(|v| v.get_name().to_string()),
            "datasets": datasets_json(&alignment),
            "pairs_given": n_pairs,
            "scores": serde_json::to_value(&scores).unwrap_or_default(),
            "outcome": outcome_json(alignment.outcome()),
            "picture": args.output.to_string_lossy(),
            "data": args.data.as_ref().map(|f| f.to_string_lossy()),
        }));
    }

    for pair in &scores {
        console.print(&pair.table())?;
    }
    let in_color = stdout_has_color();
    let panel = joint_panel(&alignment, axes, in_color);
    let drawn = if in_color { panel.to_braille(64, 18, true)? } else { panel.to_text(64, 18)? };
    console.print(&format!("\n{drawn}\n"))?;
    console.outcome(alignment.outcome());
    console.say(format!("{:<8} {}", "picture", args.output.display()));

    console.say("\nNext:");
    let folder = args.data.as_deref().unwrap_or(Path::new("demo-data")).display();
    if args.data.is_none() {
        let story = args.story.to_possible_value().map(|v| v.get_name().to_string()).unwrap_or_default();
        console.say(format!("  landbridge demo {story} --data {folder}      # the same data as csv files"));
    }
    let (a, b) = (first.name(), second.name());
    console.say(format!(
        "  landbridge fit --method instance -d {n_components} --labels-column label --pairs {folder}/pairs.csv \\\n      {folder}/{a}.csv {folder}/{b}.csv -o demo.lb"
    ));
    console.say(format!("  landbridge match demo.lb --from {a} --to {b} -k 3 -o matches.csv"));
    console.say(format!("  landbridge evaluate demo.lb --truth {folder}/truth.csv"));
    console.say("  landbridge plot demo.lb -o picture.svg --components 0,4");
    Ok(())
}

/// The datasets, the known pairs and the whole truth, as files that the other commands read.
fn write_data(folder: &Path, data: &Synthetic, pairs: &Pairs) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|source| landbridge_io::Error::Io {
        path: folder.into(),
        action: "create",
        source,
    })?;
    for dataset in &data.datasets {
        write_matrix(folder.join(format!("{}.csv", dataset.name())), &Table::from(dataset))?;
    }
    let names: Vec<&str> = data.datasets.iter().map(|d| d.name()).collect();
    let rows = |links: &[Link]| links.iter().map(|l| [l.i.to_string(), l.j.to_string()]).collect::<Vec<_>>();
    let truth = Pairs::from_table(&data.truth)?;
    for (name, links) in [("pairs.csv", pairs.links()), ("truth.csv", truth.links())] {
        write_table(folder.join(name), &names, rows(links), &TableOptions::default())?;
    }
    Ok(())
}
