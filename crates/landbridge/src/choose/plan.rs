//! What a fit will cost before it begins: memory and time, stage by stage, and whether it fits.

use crate::data::{Dataset, Pairs, Prepare, Rows};
use crate::error::{Error, Result, bytes};
use crate::geometry::neighbors::EXACT_LIMIT;
use crate::memory::free_memory;
use crate::method::{Method, usual_directions};
use crate::model::Alignment;
use crate::params::{Given, Value, Words};
use crate::progress::Progress;
use crate::registry;
use serde::Serialize;

/// The sizes on which the cost of a fit depends.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    /// Rows of each dataset.
    pub rows: Vec<usize>,
    /// Columns of each dataset.
    pub columns: Vec<usize>,
    /// Stored values of each dataset: entries that are not zero if it is sparse, else all.
    pub stored: Vec<usize>,
    /// Whether each dataset is sparse.
    pub sparse: Vec<bool>,
    /// Bytes of the data.
    pub bytes: u64,
    /// Number of pairs.
    pub pairs: usize,
    /// Whether `prepare="auto"` recognises counts of cells, which are reduced to principal directions.
    pub cells: bool,
    /// Whether rows belong to batches; they are reduced too.
    pub batches: bool,
}

impl Sizes {
    /// The sizes of datasets and pairs.
    pub fn of(datasets: &[Dataset], pairs: &Pairs) -> Self {
        let stored = |d: &Dataset| match d.rows() {
            Rows::Sparse(m) => m.values().len(),
            dense => dense.nrows() * dense.ncols(),
        };
        let own = |d: &Dataset| match d.rows() {
            Rows::F64(_) => 8 * stored(d),
            Rows::F32(_) => 4 * stored(d),
            Rows::Sparse(m) => 12 * stored(d) + 8 * m.nrows(),
        } as u64;
        Self {
            rows: datasets.iter().map(Dataset::nrows).collect(),
            columns: datasets.iter().map(Dataset::ncols).collect(),
            stored: datasets.iter().map(stored).collect(),
            sparse: datasets.iter().map(|d| matches!(d.rows(), Rows::Sparse(_))).collect(),
            bytes: datasets.iter().map(own).sum(),
            pairs: pairs.len(),
            cells: Prepare::Auto.for_each(datasets).into_iter().any(Prepare::of_cells),
            batches: datasets.iter().any(|d| d.batches().is_some()),
        }
    }

    /// How many principal directions a method reduces the rows to before anything else, if it does.
    fn directions(&self, name: &str, values: &Given) -> Option<usize> {
        let value = |wanted: &str| values.iter().find(|(n, _)| n == wanted).map(|(_, v)| v);
        let cells = match value("prepare") {
            Some(Value::Text(word)) => match Prepare::from_word(word) {
                Some(Prepare::Auto) => self.cells,
                prepare => prepare.is_some_and(Prepare::of_cells),
            },
            _ => false,
        };
        let asked = match value("n_principal") {
            Some(Value::Int(count)) => usize::try_from(*count).ok(),
            _ => None,
        };
        matches!(name, "cca" | "linear").then(|| usual_directions(cells, self.batches, asked)).flatten()
    }
}

/// What a fit will take.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// The method.
    pub method: String,
    /// Rows and columns of each dataset.
    pub shapes: Vec<(usize, usize)>,
    /// Values stored in all datasets.
    pub stored: usize,
    /// Bytes of the data.
    pub data_bytes: u64,
    /// Peak of memory: the data and what the fit takes beside it.
    pub peak_bytes: u64,
    /// Seconds on this machine's number of cores.
    pub seconds: f64,
    /// The stages, in order.
    pub stages: Vec<PlannedStage>,
    /// What is exact, approximate or on landmarks.
    pub notes: Vec<String>,
}

/// One stage of a fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PlannedStage {
    /// Its name, as in the outcome of the fit.
    pub name: String,
    /// Its seconds.
    pub seconds: f64,
    /// Memory at its peak, the data included.
    pub bytes: u64,
}

/// Memory that a fit may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// This many bytes.
    Bytes(u64),
    /// What the machine or its control group has free, less a tenth; at most what the process may still map (`ulimit -v`).
    Free,
}

impl Limit {
    /// A number of bytes as people write it: `512M`, `8G`, `1.5GiB`. A unit is 1,024 times the one below it.
    pub fn named(text: &str) -> Result<Self> {
        let wrong =
            || Error::parameter("max_memory", format!("\"{text}\""), "a number of bytes above 0, or one with K, M, G or T");
        let unit = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let (digits, unit) = text.split_at(unit);
        let power = match unit.trim().to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
            "" => 0,
            "K" => 1,
            "M" => 2,
            "G" => 3,
            "T" => 4,
            _ => return Err(wrong()),
        };
        let number: f64 = digits.parse().map_err(|_| wrong())?;
        let bytes = number * 1024f64.powi(power);
        if (1.0..1e18).contains(&bytes) { Ok(Limit::Bytes(bytes as u64)) } else { Err(wrong()) }
    }
}

impl Plan {
    /// The plan of a fit.
    pub fn new(method: &dyn Method, sizes: &Sizes) -> Self {
        let name = method.schema().name;
        let values = method.values();
        let directions = sizes.directions(name, &values);
        let quantities = Quantities { directions: directions.unwrap_or(0) as f64, ..Quantities::of(&values, sizes) };
        let cores = std::thread::available_parallelism().map_or(1.0, |n| n.get() as f64);
        // Part of every fit runs on one core.
        let share = SERIAL + (1.0 - SERIAL) / cores;
        let stage = |(name, held, cpu): (&str, &str, &str)| PlannedStage {
            name: name.into(),
            seconds: share * quantities.total(cpu),
            bytes: sizes.bytes + LEAST + quantities.total(held) as u64,
        };
        let stages: Vec<PlannedStage> =
            costs(&key(name, &values, directions.is_some()), sizes.sparse.contains(&true)).into_iter().map(stage).collect();
        let peak = stages.iter().map(|s| s.bytes).max().unwrap_or(4 * sizes.bytes);
        let seconds = stages.iter().map(|s| s.seconds).sum();
        Self {
            method: name.into(),
            shapes: sizes.rows.iter().copied().zip(sizes.columns.iter().copied()).collect(),
            stored: sizes.stored.iter().sum(),
            data_bytes: sizes.bytes,
            peak_bytes: peak,
            seconds,
            stages,
            notes: notes(name, &values, sizes, directions),
        }
    }

    /// Refuses a fit that would take more memory than the limit, and names a setting that would not.
    pub fn check(&self, method: &dyn Method, sizes: &Sizes, limit: Limit) -> Result<()> {
        let limit = match limit {
            Limit::Bytes(bytes) => bytes,
            Limit::Free => match free_memory() {
                Some(free) => sizes.bytes + free,
                None => return Ok(()),
            },
        };
        if self.peak_bytes <= limit {
            return Ok(());
        }
        let advice = match sizes.bytes > limit {
            true => "the data alone take more; give a larger limit, or fewer rows".into(),
            false => smaller(method, sizes, limit).unwrap_or_else(|| "give a larger limit, or fewer rows".into()),
        };
        Err(Error::Memory { method: self.method.clone(), needed: self.peak_bytes, limit, advice })
    }

    /// As a table.
    #[must_use]
    pub fn table(&self) -> String {
        let shapes: Vec<String> = self.shapes.iter().map(|(n, p)| format!("{n} x {p}")).collect();
        let mut lines =
            vec![format!("data      {}; {} stored values, {}", shapes.join(", "), self.stored, bytes(self.data_bytes))];
        for stage in &self.stages {
            lines.push(format!("{:<24} {:>9}  {:>9}", stage.name, seconds(stage.seconds), bytes(stage.bytes)));
        }
        lines.push(format!("{:<24} {:>9}  {:>9}", "in all", seconds(self.seconds), bytes(self.peak_bytes)));
        lines.extend(self.notes.iter().map(|note| format!("note      {note}")));
        lines.join("\n")
    }
}

/// Fits the method if it fits into memory; see [`Plan::check`].
pub fn fit_within(
    method: &dyn Method,
    datasets: &[Dataset],
    pairs: &Pairs,
    limit: Limit,
    progress: &Progress,
) -> Result<Alignment> {
    let sizes = Sizes::of(datasets, pairs);
    Plan::new(method, &sizes).check(method, &sizes, limit)?;
    method.fit_with(datasets, pairs, progress)
}

/// What fits cost, as measured.
const COSTS: &str = include_str!("costs.txt");
/// What every fit takes: buffers of the threads.
const LEAST: u64 = 1 << 20;

/// The stages of a method with their bytes and CPU seconds. A method that was measured on one kind of data only has that.
fn costs(key: &str, sparse: bool) -> Vec<(&'static str, &'static str, &'static str)> {
    let of = |kind: &str| -> Vec<(&str, &str, &str)> {
        let fields = COSTS.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
        fields.filter(|f| f.len() == 5 && f[0] == key && f[1] == kind).map(|f| (f[2], f[3], f[4])).collect()
    };
    let (own, other) = if sparse { ("sparse", "dense") } else { ("dense", "sparse") };
    Some(of(own)).filter(|found| !found.is_empty()).unwrap_or_else(|| of(other))
}

/// The name of a method in the table of costs: what decides its cost beside sizes is part of it.
fn key(name: &str, values: &Given, reduced: bool) -> String {
    let word = |parameter: &str| match values.iter().find(|(n, _)| n == parameter) {
        Some((_, Value::Text(word))) => word.clone(),
        _ => "none".into(),
    };
    match name {
        "procrustes" | "affine" => format!("procrustes+{}", word("embedding")),
        "global" | "sparse" | "multiscale" => format!("{name}+{}", word("level")),
        name if reduced => format!("{name}+directions"),
        name => name.into(),
    }
}

/// Share of a fit that runs on one core, whatever the number of cores.
const SERIAL: f64 = 0.3;

fn seconds(value: f64) -> String {
    if value < 10.0 { format!("{value:.2} s") } else { format!("{value:.0} s") }
}

/// A smaller setting of the method that fits: fewer landmarks, components or neighbours.
fn smaller(method: &dyn Method, sizes: &Sizes, limit: u64) -> Option<String> {
    let (schema, values) = (method.schema(), method.values());
    let now = |name: &str| {
        values.iter().find(|(n, _)| n == name).and_then(|(_, v)| if let Value::Int(n) = v { Some(*n) } else { None })
    };
    let mut tries: Vec<(&str, i128)> = vec![];
    let halves = |from: i128| (1..6).map(move |k| from >> k).filter(|v| *v >= 2);
    if schema.param("landmarks").is_some() {
        tries.extend([4000, 2000, 1000, 500].map(|m| ("landmarks", m)));
    }
    for name in ["n_components", "n_neighbors", "n_principal"] {
        tries.extend(now(name).into_iter().flat_map(halves).map(|v| (name, v)));
    }
    for (name, value) in tries {
        let mut given: Given = values.iter().filter(|(n, _)| n != name).cloned().collect();
        given.push((name.into(), Value::Int(value)));
        let Ok(other) = registry::method(schema.name, given) else { continue };
        if Plan::new(&*other, sizes).peak_bytes <= limit {
            return Some(format!("{name}={value} would fit"));
        }
    }
    None
}

/// What of a fit is exact, approximate or on landmarks.
fn notes(name: &str, values: &Given, sizes: &Sizes, directions: Option<usize>) -> Vec<String> {
    let word = |parameter: &str| values.iter().find(|(n, _)| n == parameter).map(|(_, v)| v.clone());
    let mut out = vec![];
    if let Some(count) = directions {
        let why = if sizes.batches { "rows with batches" } else { "counts of cells" };
        out.push(format!("{why} are reduced to {count} principal directions"));
    }
    if let Some(Value::Text(search)) = word("search") {
        let large = sizes.rows.iter().zip(&sizes.sparse).any(|(n, sparse)| *n > EXACT_LIMIT && !sparse);
        out.push(match (search.as_str(), large) {
            ("approximate", _) | ("auto", true) => {
                format!("nearest neighbours are approximate (exact up to {EXACT_LIMIT} rows; search=\"exact\" asks for it)")
            }
            _ => "nearest neighbours are exact".into(),
        });
    }
    if name == "global" {
        out.push(match word("landmarks") {
            Some(Value::Int(m)) => format!("distances go through {m} landmarks"),
            _ => "distances between all rows are kept: memory grows with the square of the rows (landmarks= avoids it)".into(),
        });
    }
    out
}

/// The quantities that costs grow with.
struct Quantities {
    rows: f64,
    columns: f64,
    stored: f64,
    dimension: f64,
    neighbors: f64,
    pairs: f64,
    sizes: Sizes,
    landmarks: Option<f64>,
    /// Principal directions that rows are reduced to, 0 if they are not.
    directions: f64,
    /// Rows with which each dense row is compared, at most, to find its neighbours; an approximate search costs about as much as an exact
    /// one among so many.
    searched: f64,
}

impl Quantities {
    fn of(values: &Given, sizes: &Sizes) -> Self {
        let number = |name: &str| {
            values.iter().find(|(n, _)| n == name).and_then(|(_, v)| match v {
                Value::Int(n) => Some(*n as f64),
                _ => None,
            })
        };
        let sum = |all: &[usize]| all.iter().sum::<usize>() as f64;
        Self {
            rows: sum(&sizes.rows),
            columns: sum(&sizes.columns),
            stored: sum(&sizes.stored),
            dimension: number("n_components").unwrap_or(200.0),
            neighbors: number("n_neighbors").unwrap_or(10.0),
            pairs: sizes.pairs as f64,
            landmarks: number("landmarks"),
            directions: 0.0,
            searched: match values.iter().find(|(n, _)| n == "search").map(|(_, v)| v) {
                Some(Value::Text(word)) if word != "exact" => EXACT_LIMIT as f64,
                _ => f64::INFINITY,
            },
            sizes: sizes.clone(),
        }
    }
    /// A sum of quantities: `rows=8 rows_dimension=24`.
    fn total(&self, terms: &str) -> f64 {
        let terms = terms.split(' ').filter_map(|term| term.split_once('='));
        terms.filter_map(|(name, each)| Some(each.parse::<f64>().ok()? * self.named(name)?)).sum()
    }

    /// The rows with which each row of a dataset is compared.
    fn compared(&self, a: usize) -> f64 {
        let most = if self.sizes.sparse[a] { f64::INFINITY } else { self.searched };
        (self.sizes.rows[a] as f64).min(most)
    }

    fn named(&self, name: &str) -> Option<f64> {
        let s = &self.sizes;
        let each = |of: &dyn Fn(f64, f64, f64) -> f64| {
            (0..s.rows.len()).map(|a| of(s.rows[a] as f64, s.columns[a] as f64, s.stored[a] as f64)).sum::<f64>()
        };
        // Features of all datasets; a dataset has at most as many as rows.
        let features = each(&|n, p, _| n.min(p));
        Some(match name {
            "one" => 1.0,
            "stored" => self.stored,
            "rows" => self.rows,
            "rows_neighbors" => self.rows * self.neighbors,
            "rows_dimension" => self.rows * self.dimension,
            "rows_dimension2" => self.rows * self.dimension * self.dimension,
            "columns_dimension" => self.columns * self.dimension,
            "columns2" => self.columns * self.columns,
            "columns_features" => self.columns * features,
            "features2" => features.powi(2),
            "features3" => features.powi(3),
            "rows2" => self.landmarks.map_or(self.rows * self.rows, |m| self.rows * m),
            "rows_stored" => (0..s.rows.len()).map(|a| self.compared(a) * s.stored[a] as f64).sum(),
            "rows_searched" => (0..s.rows.len()).map(|a| self.compared(a) * s.rows[a] as f64).sum(),
            "pairs_columns" => self.pairs * self.columns,
            "pairs2" => self.pairs * self.pairs,
            "paired2" => each(&|_, p, _| self.pairs.min(p)).powi(2),
            "stored_dimension" => self.stored * self.dimension,
            "largest_stored" => s.stored.iter().copied().max().unwrap_or(0) as f64,
            "rows_directions" => self.rows * self.directions,
            "columns_directions" => self.columns * self.directions,
            "stored_directions" => self.stored * self.directions,
            "directions2" => self.directions.powi(2),
            "stored_features" => each(&|n, p, stored| stored * n.min(p)),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_costs_and_every_quantity_is_known() {
        let sizes = Sizes {
            rows: vec![1000; 2],
            columns: vec![50; 2],
            stored: vec![50_000; 2],
            sparse: vec![false; 2],
            bytes: 800_000,
            pairs: 100,
            cells: false,
            batches: false,
        };
        let quantities = Quantities::of(&vec![], &sizes);
        for line in COSTS.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            assert_eq!(fields.len(), 5, "{line}");
            for term in fields[3..].iter().flat_map(|terms| terms.split(' ')).filter(|term| !term.is_empty()) {
                let (name, each) = term.split_once('=').unwrap();
                assert!(quantities.named(name).is_some() && each.parse::<f64>().unwrap() > 0.0, "{term}");
            }
        }
        for schema in registry::methods() {
            let given = schema.param("n_components").map(|p| (p.name.to_string(), Value::Int(5)));
            let method = registry::method(schema.name, given.into_iter().collect()).unwrap();
            let plan = Plan::new(&*method, &sizes);
            assert!(!plan.stages.is_empty() && plan.peak_bytes > sizes.bytes && plan.seconds > 0.0, "{}", schema.name);
        }
    }

    /// Above the size up to which neighbours are exact, nothing grows with the square of the rows.
    #[test]
    fn plans_of_graphs_grow_with_the_rows() {
        let plan = |name: &str, n: usize| {
            let sizes = Sizes {
                rows: vec![n; 2],
                columns: vec![50; 2],
                stored: vec![50 * n; 2],
                sparse: vec![false; 2],
                bytes: 400 * n as u64,
                pairs: n / 20,
                cells: false,
                batches: false,
            };
            Plan::new(&*registry::method(name, vec![("n_components".into(), Value::Int(10))]).unwrap(), &sizes)
        };
        for name in ["instance", "cle", "linear"] {
            let (small, large) = (plan(name, 100_000), plan(name, 1_000_000));
            assert!(large.peak_bytes < 11 * small.peak_bytes, "{name}: {small:?} {large:?}");
            assert!(large.seconds < 12.0 * small.seconds, "{name}: {small:?} {large:?}");
        }
        // 2 x 500,000 rows were measured: 2.5 GB beside the data, 68 s on two processors.
        let measured = plan("instance", 500_000);
        assert!((1.5e9..6e9).contains(&(measured.peak_bytes as f64)), "{measured:?}");
    }

    #[test]
    fn a_fit_that_does_not_fit_is_refused_with_a_setting_that_does() {
        let sizes = Sizes {
            rows: vec![50_000; 2],
            columns: vec![20; 2],
            stored: vec![1_000_000; 2],
            sparse: vec![false; 2],
            bytes: 16_000_000,
            pairs: 100,
            cells: false,
            batches: false,
        };
        let global = registry::method("global", vec![("n_components".into(), Value::Int(10))]).unwrap();
        let plan = Plan::new(&*global, &sizes);
        let refused = plan.check(&*global, &sizes, Limit::Bytes(4 << 30)).unwrap_err();
        assert!(refused.to_string().contains("global would take"), "{refused}");
        assert!(refused.hint().unwrap().contains("landmarks="), "{:?}", refused.hint());
        assert!(plan.check(&*global, &sizes, Limit::Bytes(u64::MAX)).is_ok());
        let tiny = plan.check(&*global, &sizes, Limit::Bytes(1 << 20)).unwrap_err();
        assert!(tiny.hint().unwrap().contains("the data alone"), "{:?}", tiny.hint());
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let bytes = |text| match Limit::named(text) {
            Ok(Limit::Bytes(bytes)) => Some(bytes),
            _ => None,
        };
        assert_eq!(
            [bytes("1024"), bytes("512M"), bytes("16GiB"), bytes("2 kb")],
            [Some(1024), Some(512 << 20), Some(16 << 30), Some(2048)]
        );
        assert_eq!(bytes("1.5G"), Some(3 << 29));
        for bad in ["", "G", "-1", "99999999T", "3 apples", "0", "1.2.3M"] {
            assert_eq!(bytes(bad), None, "{bad}");
        }
    }
}
