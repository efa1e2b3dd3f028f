//! `landbridge demo`: what the program does, on small data with known truth.

use crate::Result;
use crate::args::Common;
use crate::output::{
    Console, check_picture, check_target, counted, datasets_json, outcome_json, stdout_has_color, write_picture, write_text,
};
use crate::passages::passages;
use crate::progress::Watch;
use crate::scores::{headline, table};
use clap::{Args, ValueEnum};
use landbridge::correspondence::SelfTraining;
use landbridge::data::synthetic::{BilingualDocuments, BranchingTrees, SwissRolls, Synthetic, ThinChains};
use landbridge::data::{Dataset, Link, Pairs};
use landbridge::embed::Unchanged;
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::Matrix;
use landbridge::method::{InstanceAlignment, Method, ProcrustesAlignment};
use landbridge_io::{Table, TableOptions, write_matrix, write_table};
use landbridge_report::Report;
use landbridge_report::picture::{Axes, figure, joint_panel};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  landbridge demo
  landbridge demo protein                  # two models of one protein
  landbridge demo trees -o trees.svg
  landbridge demo rolls --data demo-data   # also the data as files";

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Story {
    /// A thousand passages in English and in German, as word counts, no pair known
    Passages,
    /// Two NMR models of one protein, one stretched and shuffled, a quarter of its residues known
    Protein,
    /// Made-up documents in two languages, no pair known
    Documents,
    /// One sheet, bent to a swiss roll and to an S
    Rolls,
    /// A branching trajectory, measured as genes and as peaks
    Trees,
    /// A long strip, straight and bent
    Chains,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// The example to align
    #[arg(value_name = "STORY", value_enum, default_value = "passages")]
    story: Story,
    /// Picture to write; the page goes beside it, with the ending .html
    #[arg(short, long, value_name = "FILE", default_value = "demo.svg")]
    output: PathBuf,
    /// Folder in which to save the datasets, pairs and truth as csv
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The data of a story, and how it is aligned.
struct Plan {
    what: &'static str,
    datasets: Vec<Dataset>,
    truth: Pairs,
    pairs: Pairs,
    method: Box<dyn Method>,
    metric: Metric,
    /// The same options for `landbridge fit`.
    options: String,
    /// Extension of the dataset files.
    extension: &'static str,
}

impl Plan {
    /// Synthetic data, aligned by their graphs.
    fn graphs(what: &'static str, data: Synthetic, n_pairs: usize) -> landbridge::Result<Self> {
        Ok(Plan {
            what,
            truth: Pairs::from_table(&data.truth)?,
            pairs: data.pairs(n_pairs, 0)?,
            datasets: data.datasets,
            method: Box::new(InstanceAlignment::new(10)),
            metric: Metric::Euclidean,
            options: "--method instance -d 10 --label-column label".into(),
            extension: "csv",
        })
    }

    fn protein() -> landbridge::Result<Self> {
        let table: Vec<Vec<&str>> =
            include_str!("../../data/1s40-c-alpha.csv").lines().skip(1).map(|line| line.split(',').collect()).collect();
        let n = table.len();
        let value = |i: usize, c: usize| table[i][c].parse::<f64>().unwrap_or(f64::NAN);
        // The order of the residues gives nothing away.
        let place = |i: usize| (i * 71 + 30) % n;
        let (mut last, mut names) = (Matrix::zeros(n, 3), vec![String::new(); n]);
        for i in 0..n {
            (0..3).for_each(|c| last.row_mut(place(i))[c] = value(i, 4 + c));
            names[place(i)] = table[i][0].into();
        }
        let first = Matrix::from_fn(n, 3, |i, c| 4.0 * value(i, 1 + c));
        let part = |i: usize| ["first third", "second third", "last third"][3 * i / n].to_string();
        let mut parts = vec![String::new(); n];
        (0..n).for_each(|i| parts[place(i)] = part(i));
        let residues: Vec<String> = table.iter().map(|row| row[0].into()).collect();
        let coordinates = || ["x", "y", "z"].map(String::from).to_vec();
        let named = |name: &str, rows: Matrix<f64>, ids: Vec<String>, labels: Vec<String>| {
            Dataset::new(name, rows)?.with_columns(coordinates())?.with_row_ids(ids)?.with_labels(labels)
        };
        let table = |step: usize| (0..n).step_by(step).map(|i| [i as i64, place(i) as i64]).collect::<Vec<_>>();
        Ok(Plan {
            what: "two models of one protein (PDB 1S40), the first four times too large, the second in another order",
            datasets: vec![
                named("model_1", first, residues, (0..n).map(part).collect())?,
                named("model_10", last, names, parts)?,
            ],
            truth: Pairs::from_table(&table(1))?,
            pairs: Pairs::from_table(&table(4))?,
            method: Box::new(ProcrustesAlignment::new(Unchanged::new())),
            metric: Metric::Euclidean,
            options: "--method procrustes --embedding none --label-column label".into(),
            extension: "csv",
        })
    }

    fn passages() -> landbridge::Result<Self> {
        let (datasets, place) = passages()?;
        let truth: Vec<[i64; 2]> = place.iter().enumerate().map(|(i, j)| [i as i64, *j as i64]).collect();
        Ok(Plan {
            what: "a thousand passages of the Bible as word counts, in English and in German",
            truth: Pairs::from_table(&truth)?,
            pairs: Pairs::none(2),
            datasets: datasets.into(),
            method: Box::new(SelfTraining::new()),
            metric: Metric::Cosine,
            options: "--self-train".into(),
            extension: "mtx",
        })
    }

    fn documents() -> landbridge::Result<Self> {
        let documents = BilingualDocuments::new(600).topics(60).length(300.0).concentration(0.05).prevalence(1.0).shuffle(true);
        let data = documents.generate()?;
        Ok(Plan {
            what: "the same synthetic documents in two languages",
            truth: Pairs::from_table(&data.truth)?,
            pairs: Pairs::none(2),
            datasets: data.datasets,
            method: Box::new(SelfTraining::new()),
            metric: Metric::Cosine,
            options: "--self-train".into(),
            extension: "mtx",
        })
    }
}

impl Story {
    fn plan(self) -> landbridge::Result<Plan> {
        // Rows of the second dataset are shuffled: their order gives nothing away.
        match self {
            Story::Passages => Plan::passages(),
            Story::Protein => Plan::protein(),
            Story::Documents => Plan::documents(),
            Story::Rolls => Plan::graphs(
                "one sheet of paper, bent to a swiss roll and to an S",
                SwissRolls::new(1000).noise(0.1).shuffle(true).generate()?,
                100,
            ),
            Story::Trees => Plan::graphs(
                "cells along a branching trajectory, measured as genes and as peaks",
                BranchingTrees::new(600).shuffle(true).generate()?,
                60,
            ),
            Story::Chains => Plan::graphs(
                "a long strip, once straight and once bent",
                ThinChains::new(600).width(3.0).noise(0.2).shuffle(true).generate()?,
                60,
            ),
        }
    }
}

pub(crate) fn run(args: &DemoArgs, console: &Console) -> Result<()> {
    check_picture(&args.output)?;
    let page = args.output.with_extension("html");
    check_target(&page)?;
    let watch = Watch::start(console);
    let plan = args.story.plan()?;
    let axes = Axes::Two(0, 1);
    let (pairs, n_pairs, n_shared) = (&plan.pairs, plan.pairs.len(), plan.truth.len());
    console.say(format!("Two datasets that share no features: {}.", plan.what));
    for d in &plan.datasets {
        console.say(format!("  {:<9} {} × {}", d.name(), counted(d.nrows(), "row"), counted(d.ncols(), "feature")));
    }
    console.say(match n_pairs {
        0 => format!("Given to the method: no pair. Unknown: which of the {n_shared} rows belong together.\n"),
        _ => format!(
            "Given to the method: {n_pairs} of {n_shared} pairs ({:.0} %). Unknown: which of the other rows belong together.\n",
            100.0 * n_pairs as f64 / n_shared as f64
        ),
    });

    let alignment = watch.during(|progress| plan.method.fit_with(&plan.datasets, pairs, progress))?;
    let scores = alignment.evaluate(plan.truth.links(), &[1, 10], Some(plan.metric))?;
    let (mut figure, _) = watch.during(|progress| figure(&alignment, Some(&plan.datasets), axes, true, &[], progress))?;
    if let Some(headline) = scores.first().and_then(headline) {
        figure = figure.subtitle(format!(
            "{} alignment, {n_pairs} known pairs · recall@1 {:.2} on the other {} (chance {:.4})",
            alignment.method().replace('_', "-"),
            headline.held_out.unwrap_or_default(),
            scores[0].held_out,
            headline.chance
        ));
    }
    let svg = figure.render()?;
    let report = Report::new(&alignment).datasets(&plan.datasets).truth(plan.truth.links());
    let written = watch.during(|progress| report.render_with(progress))?;
    watch.during(|_| write_picture(&args.output, &svg, console).and_then(|()| write_text(&page, &written.html)))?;
    if let Some(folder) = &args.data {
        write_data(folder, &plan)?;
    }
    if console.json {
        return console.print_json(&json!({
            "story": args.story.to_possible_value().map(|v| v.get_name().to_string()),
            "datasets": datasets_json(&alignment),
            "pairs_given": n_pairs,
            "scores": serde_json::to_value(&scores).unwrap_or_default(),
            "outcome": outcome_json(alignment.outcome()),
            "picture": args.output.to_string_lossy(),
            "page": page.to_string_lossy(),
            "data": args.data.as_ref().map(|f| f.to_string_lossy()),
        }));
    }

    for pair in &scores {
        console.print(&table(pair))?;
    }
    let in_color = stdout_has_color();
    let panel = joint_panel(&alignment, axes, in_color, &[]);
    let drawn = if in_color { panel.to_braille(64, 18, true)? } else { panel.to_text(64, 18)? };
    console.print(&format!("\n{drawn}\n"))?;
    console.outcome(alignment.outcome());
    console.say(format!("{:<8} {}", "picture", args.output.display()));
    console.say(format!("{:<8} {} (open it in a browser)", "page", page.display()));

    console.say("\nNext:");
    let folder = args.data.as_deref().unwrap_or(Path::new("demo-data")).display();
    if args.data.is_none() {
        let story = args.story.to_possible_value().map(|v| v.get_name().to_string()).unwrap_or_default();
        console.say(format!("  landbridge demo {story} --data {folder}      # the same data as files"));
    }
    let (a, b) = (plan.datasets[0].name(), plan.datasets[1].name());
    let given = if n_pairs == 0 { String::new() } else { format!(" --pairs {folder}/pairs.csv") };
    let (options, end) = (&plan.options, plan.extension);
    console.say(format!("  landbridge fit {options}{given} \\\n      {folder}/{a}.{end} {folder}/{b}.{end} -o demo.lb"));
    console.say(format!("  landbridge match demo.lb --from {a} --to {b} -k 3 -o matches.csv"));
    console.say(format!("  landbridge evaluate demo.lb --truth {folder}/truth.csv"));
    console.say(format!("  landbridge report demo.lb -o report.html --truth {folder}/truth.csv"));
    Ok(())
}

/// The datasets, the known pairs and the whole truth, as files that the other commands read.
fn write_data(folder: &Path, plan: &Plan) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|source| landbridge_io::Error::Io {
        path: folder.into(),
        action: "create",
        source,
    })?;
    for dataset in &plan.datasets {
        let path = folder.join(format!("{}.{}", dataset.name(), plan.extension));
        if plan.extension == "mtx" {
            // Sparse, and without names.
            write_matrix(path, &Table::from(&Dataset::new(dataset.name(), dataset.rows().clone())?))?;
        } else {
            write_matrix(path, &Table::from(dataset))?;
        }
    }
    let names: Vec<&str> = plan.datasets.iter().map(|d| d.name()).collect();
    let rows = |links: &[Link]| links.iter().map(|l| [l.i.to_string(), l.j.to_string()]).collect::<Vec<_>>();
    for (name, links) in [("pairs.csv", plan.pairs.links()), ("truth.csv", plan.truth.links())] {
        write_table(folder.join(name), &names, rows(links), &TableOptions::default())?;
    }
    Ok(())
}
