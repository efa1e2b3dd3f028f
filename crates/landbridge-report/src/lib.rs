//! One HTML page per alignment: the joint space to explore, and what is to be said about it.
//!
//! ```
//! use landbridge::data::synthetic::SwissRolls;
//! use landbridge::method::InstanceAlignment;
//! use landbridge_report::Report;
//! let rolls = SwissRolls::new(200).generate()?;
//! let alignment = InstanceAlignment::new(4).fit(&rolls.datasets, &rolls.pairs(20, 0)?)?;
//! let page = Report::new(&alignment).render()?;
//! assert!(page.html.starts_with("<!doctype html>"));
//! # Ok::<(), landbridge::Error>(())
//! ```
//!
//! The page is one file that asks for nothing from anywhere: the viewer (`web/`, built into `assets/`) and the data are inside. Its
//! policy allows that one script, known by its checksum, and no other. Names, ids and labels travel packed and
//! reach the page as text only.

mod columns;
mod diagnosis;
mod layout;
mod pack;
mod page;
mod partners;
pub mod picture;
mod shown;
mod verdict;
mod views;

use columns::{FEATURE_COLUMN, Numbers, Words};
use landbridge::choose::options_of;
use landbridge::data::{Dataset, Link, Rows};
use landbridge::error::Error;
use landbridge::memory::{check_room_or, of_doubles, of_each};
use landbridge::model::Alignment;
use landbridge::progress::{Progress, with_threads};
use landbridge::registry;
use landbridge::{Result, correspondence::PairCheck};
pub use page::summary;
use serde_json::{Value, json};
use shown::Shown;

/// Points that a page shows; of more rows it shows a sample, and where all of them lie.
pub const MAX_POINTS: usize = 100_000;
/// Bytes that a page may have. What finds no room is left out, and the page says so.
pub const MAX_BYTES: usize = 4_000_000;

/// A value per row of a dataset, to colour by.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers; what is not finite is missing.
    Numbers(Vec<f64>),
    /// Words; an empty word is missing.
    Words(Vec<String>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Values::Numbers(v) => v.len(),
            Values::Words(v) => v.len(),
        }
    }
}

/// What to write about an alignment.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    alignment: &'a Alignment,
    datasets: Option<&'a [Dataset]>,
    truth: Option<&'a [Link]>,
    check: Option<&'a PairCheck>,
    texts: Vec<(usize, Vec<String>)>,
    values: Vec<(String, usize, Values)>,
    features: Vec<String>,
    title: Option<String>,
    command: Option<String>,
    max_points: usize,
    max_bytes: usize,
    n_jobs: usize,
}

/// A page, and what it could not show.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Page {
    /// The text of the file.
    pub html: String,
    /// What is missing on the page and why, a sentence each. The page says it too.
    pub notes: Vec<String>,
}

impl<'a> Report<'a> {
    /// About this alignment.
    pub fn new(alignment: &'a Alignment) -> Self {
        Self {
            alignment,
            datasets: None,
            truth: None,
            check: None,
            texts: vec![],
            values: vec![],
            features: vec![],
            title: None,
            command: None,
            max_points: MAX_POINTS,
            max_bytes: MAX_BYTES,
            n_jobs: 0,
        }
    }
    /// With the rows as they were fitted: the page shows each dataset before alignment, and the features of each row. Some
    /// models keep their rows; the others need this.
    pub fn datasets(mut self, datasets: &'a [Dataset]) -> Self {
        self.datasets = Some(datasets);
        self
    }
    /// With true pairs: recall is that of pairs which the fit did not see, and wrong matches show.
    pub fn truth(mut self, truth: &'a [Link]) -> Self {
        self.truth = Some(truth);
        self
    }
    /// With the check of the pairs.
    pub fn check(mut self, check: &'a PairCheck) -> Self {
        self.check = Some(check);
        self
    }
    /// With a text for each row of a dataset.
    pub fn texts(mut self, dataset: usize, texts: Vec<String>) -> Self {
        self.texts.push((dataset, texts));
        self
    }
    /// With a value for each row of a dataset, to colour by. Values of one name in several datasets are one column.
    pub fn values(mut self, name: impl Into<String>, dataset: usize, values: Values) -> Self {
        self.values.push((name.into(), dataset, values));
        self
    }
    /// With these features to colour by, by name or by number from 0, besides those of the largest weights.
    pub fn features(mut self, features: Vec<String>) -> Self {
        self.features = features;
        self
    }
    /// With a title of its own.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }
    /// With the command that makes the alignment again.
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.command = Some(command.into());
        self
    }
    /// With at most that many points.
    pub fn max_points(mut self, points: usize) -> Self {
        self.max_points = points;
        self
    }
    /// With at most about that many bytes.
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }
    /// Number of threads; 0 means all cores. The page does not depend on it.
    pub fn n_jobs(mut self, n_jobs: usize) -> Self {
        self.n_jobs = n_jobs;
        self
    }

    /// The page.
    pub fn render(&self) -> Result<Page> {
        self.render_with(&Progress::silent())
    }

    /// As [`Report::render`], with progress reports.
    pub fn render_with(&self, progress: &Progress) -> Result<Page> {
        self.check_given()?;
        let advice = "show fewer points (CLI: --max-points; Python: max_points)";
        check_room_or("report", self.room(), advice)?;
        with_threads(self.n_jobs, || self.page(progress))
    }

    /// Bytes that the page takes at most while it is made.
    fn room(&self) -> u64 {
        let fitted = self.alignment.datasets();
        let d = self.alignment.n_components();
        let all: usize = fitted.iter().map(|f| f.nrows()).sum();
        let shown = all.min(self.max_points);
        let largest = fitted.iter().map(|f| f.nrows()).max().unwrap_or(0);
        let ways = fitted.len().saturating_sub(1);
        // Texts of the parts, packed and as they come; the page.
        let page = 4 * self.max_bytes as u64;
        if !self.alignment.has_rows() {
            return page;
        }
        // Partners in each direction, and the places of the layout, which are made at the same time.
        let partners = of_each(shown, ways * partners::PARTNERS, 20);
        let searched = of_each(largest, partners::PARTNERS, 28)
            + of_each(largest, d, 4)
            + of_each(largest, d.min(16), 16)
            + of_each(shown, 1, 28);
        let joined = of_doubles(shown, d) + of_each(shown, 1, 16);
        let made = searched + joined + of_doubles(shown.min(layout::MOVED), 2 * d) + of_each(shown, 3, 28);
        // Numbers of all rows: margins, counts, a feature or the density.
        let numbers = 4 * of_doubles(all, 1);
        let principal = joined + of_doubles(shown, 8);
        let scored = of_each(2 * largest, d, 12) + of_each(2 * largest, 1, 32);
        let of_rows = |a: usize| -> u64 {
            let Some(rows) = self.rows(a) else { return 0 };
            let (n, p) = (rows.nrows(), rows.ncols());
            let stored = match rows {
                Rows::Sparse(m) => of_each(m.nnz(), 1, 12) + of_each(n, 1, 16),
                _ => of_doubles(n, p),
            };
            // The rows on the page, and those whose principal components stand for all.
            let before = if n > shown { stored } else { 0 } + of_doubles(views::FEW.min(n), 2 * p);
            before.max(of_doubles(n, columns::FEATURES) + of_each(n, columns::OF_A_ROW, 16))
        };
        let of_rows = (0..fitted.len()).map(of_rows).max().unwrap_or(0);
        let named = if fitted.iter().any(|f| f.row_ids().is_some() || f.labels().is_some()) { of_each(shown, 1, 200) } else { 0 };
        let few = fitted.iter().all(|f| f.nrows() <= partners::CONFIDENT);
        let chances = if few { of_doubles(largest, 2 * largest) } else { 0 };
        let after = principal.max(scored).max(of_rows).max(named).max(chances);
        page + partners + numbers + made.max(of_each(shown, 1, 16) + after)
    }

    fn check_given(&self) -> Result<()> {
        let fitted = self.alignment.datasets();
        let shape = |what: String, expected: String, got: usize| Err(Error::Shape { what, expected, got: got.to_string() });
        if self.max_points == 0 {
            let expected = "at least 1".into();
            return Err(Error::BadParameter { name: "max_points".into(), value: "0".into(), expected });
        }
        if let Some(datasets) = self.datasets {
            if datasets.len() != fitted.len() {
                return shape("datasets of a report".into(), format!("{} datasets", fitted.len()), datasets.len());
            }
            for (given, fitted) in datasets.iter().zip(fitted) {
                if given.ncols() != fitted.n_features() {
                    let (dataset, expected) = (fitted.name().to_string(), fitted.n_features());
                    return Err(Error::FeatureCount { dataset, expected, got: given.ncols() });
                }
                if given.nrows() != fitted.nrows() {
                    return shape(rows_of("rows", fitted.name()), format!("{} rows", fitted.nrows()), given.nrows());
                }
            }
        }
        let rows = |position: usize| fitted.get(position).map(|f| (f.name(), f.nrows()));
        let texts = self.texts.iter().map(|(a, texts)| ("texts", *a, texts.len()));
        let values = self.values.iter().map(|(name, a, values)| (name.as_str(), *a, values.len()));
        for (what, a, got) in texts.chain(values) {
            match rows(a) {
                None => {
                    self.alignment.position(a)?;
                }
                Some((name, n)) if n != got => return shape(rows_of(what, name), format!("{n}, one per row"), got),
                Some(_) => {}
            }
        }
        for (row, link) in self.truth.unwrap_or_default().iter().enumerate() {
            for (a, i) in [(link.a, link.i), (link.b, link.j)] {
                let fitted = &fitted[self.alignment.position(a)?];
                if i >= fitted.nrows() && fitted.nrows() > 0 {
                    let (dataset, value, rows) = (fitted.name().into(), i as i64, fitted.nrows());
                    return Err(Error::PairOutOfRange { row, dataset, value, rows });
                }
            }
        }
        Ok(())
    }

    /// The rows of a dataset before alignment, where they are at hand.
    fn rows(&self, dataset: usize) -> Option<&Rows> {
        self.datasets.map(|d| d[dataset].rows()).or(self.alignment.datasets()[dataset].rows())
    }

    fn title_text(&self) -> String {
        let names: Vec<&str> = self.alignment.datasets().iter().map(|d| d.name()).collect();
        self.title.clone().unwrap_or_else(|| format!("{} in one space", picture::listed(&names)))
    }

    /// The command that makes the alignment again: as given, as chosen by `align`, or from the parameters in the model.
    fn command_text(&self) -> Option<String> {
        let chosen = || self.alignment.outcome().selection.as_ref()?["command"].as_str().map(String::from);
        let written = || {
            let (name, params) = (self.alignment.method(), self.alignment.params());
            let method = registry::method(name, registry::given_in_file(name, params)).ok()?;
            let names: Vec<&str> = self.alignment.datasets().iter().map(|d| d.name()).collect();
            let pairs = if self.alignment.pairs().is_empty() { "" } else { " --pairs PAIRS" };
            Some(format!("{}{pairs} {} -o MODEL.lb", options_of(&*method), names.join(" ")))
        };
        self.command.clone().or_else(chosen).or_else(written).map(|text| columns::cut(&text, 2000))
    }

    fn page(&self, progress: &Progress) -> Result<Page> {
        let alignment = self.alignment;
        let viewer = page::viewer_bytes();
        let mut parts = pack::Parts::new(self.max_bytes.saturating_sub(viewer));
        let mut notes = vec![];
        let shown = Shown::choose(alignment, self.truth, self.max_points);
        let mut manifest = json!({
            "format": 1,
            "version": env!("CARGO_PKG_VERSION"),
            "title": self.title_text(),
            "method": alignment.method(),
            "n_components": alignment.n_components(),
            "datasets": alignment.datasets().iter().enumerate().map(|(a, d)| json!({
                "name": d.name(), "rows": d.nrows(), "features": d.n_features(), "shown": shown.rows[a].len(),
            })).collect::<Value>(),
            "sampled": shown.sampled,
        });
        if shown.sampled {
            notes.push(format!(
                "{} of {} rows are points on this page, a sample that keeps rare labels; the shading shows where all of them lie",
                landbridge_plot::thousands(shown.len()),
                landbridge_plot::thousands(alignment.datasets().iter().map(|d| d.nrows()).sum())
            ));
        }
        if !alignment.has_rows() {
            notes.push("the model was saved without its fitted rows, so the page has no points, matches and scores".into());
        }
        // One core moves points while the other searches.
        let (partners, places) =
            rayon::join(|| partners::find(alignment, &shown, progress), || views::neighbours(alignment, &shown, progress));
        let (partners, places) = (partners?, places?);
        if let Some(note) = partners::note(&partners, &shown) {
            notes.push(note);
        }
        if shown.sampled {
            let numbers: Vec<u32> = shown.rows.iter().flatten().map(|i| *i as u32).collect();
            parts.need("rows", &pack::four_bytes(&numbers));
        }
        // In order of importance: what comes late is left out first.
        manifest["views"] = views::joint(alignment, &shown, places.as_deref(), &mut parts);
        manifest["pairs"] = partners::pack_links(alignment.pairs(), &shown, "pairs", &mut parts);
        manifest["truth"] = partners::pack_links(self.truth.unwrap_or_default(), &shown, "truth", &mut parts);
        manifest["words"] = self.words(&shown, &mut parts);
        manifest["partners"] = partners::pack(&partners, &shown, &mut parts);
        manifest["ids"] = columns::ids(alignment, &shown, &mut parts);
        let mut numbers = partners::pack_numbers(alignment, &partners, &shown, &mut parts);
        numbers.extend(partners::pack_confidence(alignment, &shown, numbers.len(), &mut parts, progress)?);
        let (before, missing) = views::before(self, &shown, &mut parts, progress)?;
        manifest["before"] = before;
        notes.extend(missing);
        views::more(alignment, &shown, &mut parts, &mut manifest["views"], progress)?;
        self.numbers(&shown, &mut numbers, &mut parts)?;
        manifest["numbers"] = numbers.into();
        manifest["texts"] = columns::texts(alignment, &self.texts, &shown, &mut parts);
        manifest["features"] = columns::features(self, &shown, &mut parts);
        let diagnosis = diagnosis::diagnose(self, &partners, progress)?;
        let said = verdict::verdict(alignment, &diagnosis);
        manifest["verdict"] = json!({"level": said.level, "sentence": said.sentence, "why": said.why});
        manifest["diagnosis"] = diagnosis;
        if !parts.left_out.is_empty() {
            let limit = self.max_bytes as f64 / 1e6;
            notes.push(format!("left out to keep the page below {limit:.1} MB: {}", parts.left_out.join(", ")));
        }
        manifest["notes"] = json!(notes);
        parts.need("manifest", manifest.to_string().as_bytes());
        let html = page::html(&self.title_text(), &page::facts(alignment), &said, &notes, alignment, &parts);
        Ok(Page { html, notes })
    }

    /// Words to colour by: the labels, then what the caller gives.
    fn words(&self, shown: &Shown, parts: &mut pack::Parts) -> Value {
        let fitted = self.alignment.datasets();
        let labels: Vec<Option<&[String]>> = fitted.iter().map(|d| d.labels()).collect();
        let mut list = vec![];
        if labels.iter().any(Option::is_some) {
            list.extend(Words::new("label", &labels).pack(shown, list.len(), parts));
        }
        for name in self.names_of_values(|v| matches!(v, Values::Words(_))) {
            let sides: Vec<Option<&[String]>> = (0..fitted.len())
                .map(|a| {
                    self.values.iter().find_map(|(n, d, v)| match v {
                        Values::Words(words) if *n == name && *d == a => Some(&words[..]),
                        _ => None,
                    })
                })
                .collect();
            list.extend(Words::new(&name, &sides).pack(shown, list.len(), parts));
        }
        list.into()
    }

    /// More numbers to colour by: what the caller gives, then features.
    fn numbers(&self, shown: &Shown, list: &mut Vec<Value>, parts: &mut pack::Parts) -> Result<()> {
        let c = self.alignment.datasets().len();
        for name in self.names_of_values(|v| matches!(v, Values::Numbers(_))) {
            let mut sides = vec![None; c];
            for (n, a, v) in &self.values {
                if let (true, Values::Numbers(v)) = (*n == name, v) {
                    sides[*a] = Some(v.clone());
                }
            }
            let numbers = Numbers { name, about: String::new(), group: "given", sides };
            list.extend(numbers.pack(shown, list.len(), parts));
        }
        let mut missed = 0;
        for numbers in columns::feature_columns(self)? {
            match numbers.pack(shown, list.len(), parts) {
                Some(made) => list.push(made),
                None => missed += 1,
            }
        }
        if missed > 0 {
            // One entry instead of one for each feature.
            parts.left_out.retain(|what| !what.starts_with(FEATURE_COLUMN));
            parts.left_out.push(format!("{missed} features to colour by"));
        }
        Ok(())
    }

    fn names_of_values(&self, kind: impl Fn(&Values) -> bool) -> Vec<String> {
        let mut names: Vec<String> = vec![];
        for (name, _, values) in &self.values {
            if kind(values) && !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }
}

fn rows_of(what: &str, dataset: &str) -> String {
    format!("{what} of \"{dataset}\"")
}
