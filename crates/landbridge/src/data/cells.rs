//! Counts of single cells: what they are (genes, chromatin peaks, proteins), how depth is taken out of them, and which genes vary.

use crate::data::{Batches, Dataset, Prepare, Rows};

/// Genes that are kept by `counts`; where there are fewer, all.
pub(crate) const VARIABLE: usize = 2000;
/// Bins of the mean within which dispersions are compared.
const BINS: usize = 20;
/// Names that are looked at.
const LOOKED_AT: usize = 2000;
/// Share of names that must agree.
const MOST: f64 = 0.8;
/// Columns without names are genes only if there are this many rows and columns, because any small table may hold whole numbers.
const LEAST_ROWS: usize = 100;
const LEAST_COLUMNS: usize = 200;
/// Counts of genes and peaks are mostly zero.
const FILLED: f64 = 0.5;
/// Share of names of antibodies below which a small panel with names of genes is one of genes.
const FEW: f64 = 0.1;
/// Panels of proteins are small, and most entries are not zero.
const PANEL: usize = 500;
const FILLED_PANEL: f64 = 0.3;
const PANEL_LARGEST: f64 = 20.0;
/// Peaks without names: nearly every entry is 1 or 2, and no few columns hold most of the counts. Shares and means of genes are larger.
const PEAK_COLUMNS: usize = 5000;
const PEAK_MEAN: f64 = 2.5;
const PEAK_TOP: f64 = 0.25;
const PEAK_FILLED: f64 = 0.01;

/// What the numbers of a dataset were recognised as.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recognised {
    /// How they are prepared.
    pub(crate) prepare: Prepare,
    /// What they are, and by what that was recognised. None: nothing special.
    pub(crate) what: Option<String>,
}

/// What the names of the columns say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Nothing,
    Peaks,
    Proteins,
    Genes,
    Words,
}

/// The preparation that suits each dataset: `counts`, `peaks` or `proteins` for counts of cells, `center` for everything else.
pub(crate) fn recognise(datasets: &[Dataset]) -> Vec<Recognised> {
    let facts: Vec<Facts> = datasets.iter().map(|d| Facts::of(d.rows())).collect();
    let named: Vec<Named> = datasets.iter().map(names_of).collect();
    let alone = |a: usize| {
        let (f, d) = (&facts[a], &datasets[a]);
        let none = Recognised { prepare: Prepare::Center, what: None };
        if d.recipe().is_some() || d.is_partly_known() || f.largest == 0.0 {
            return none;
        }
        if !f.from_zero {
            // Nearly counts: what made some of them negative should be known.
            let nearly =
                f.sparse && f.whole && f.filled < FILLED && matches!(named[a], Named::Genes | Named::Peaks | Named::Proteins);
            let what = "whole numbers of cells, of which some are negative, so these are not counts".to_string();
            return Recognised { what: nearly.then_some(what), ..none };
        }
        let filled = format!("{:.1} % of the entries are filled", 100.0 * f.filled);
        let found = |prepare, what: &str, why: String| Recognised { prepare, what: Some(format!("{what} ({why})")) };
        match named[a] {
            Named::Words => none,
            Named::Peaks if f.whole => found(Prepare::Peaks, "counts of peaks", "names such as chr1:100-200".into()),
            Named::Peaks => found(Prepare::Peaks, "peaks, already weighted", "names such as chr1:100-200, fractions".into()),
            Named::Proteins if f.whole => found(Prepare::Proteins, "counts of proteins", "names of antibodies".into()),
            Named::Genes if !f.whole && f.sparse && f.filled < FILLED && d.ncols() >= LEAST_COLUMNS => {
                found(Prepare::Center, "expression, already normalised", "names of genes, fractions".into())
            }
            _ if !f.whole || f.filled > FILLED || d.nrows() < LEAST_ROWS || d.ncols() < LEAST_COLUMNS || f.largest <= 1.0 => none,
            Named::Genes => found(Prepare::Counts, "counts of genes", format!("names of genes, whole numbers, {filled}")),
            _ if !f.sparse => none,
            _ if d.ncols() >= PEAK_COLUMNS && f.mean < PEAK_MEAN && f.top < PEAK_TOP && f.filled >= PEAK_FILLED => {
                let why = format!("no names; whole numbers, {filled}, few above 2");
                found(Prepare::Peaks, "counts of peaks", why)
            }
            _ => none,
        }
    };
    let mut out: Vec<Recognised> = (0..datasets.len()).map(alone).collect();
    // What may be anything by itself (words have counts too) is told by what it stands beside.
    let open = |a: usize| {
        let (f, d) = (&facts[a], &datasets[a]);
        f.whole && f.from_zero && d.recipe().is_none() && !d.is_partly_known() && named[a] != Named::Words
    };
    let genes = |a: usize| {
        let (f, d) = (&facts[a], &datasets[a]);
        open(a) && f.sparse && f.filled <= FILLED && f.largest > 1.0 && d.nrows() >= LEAST_ROWS && d.ncols() >= LEAST_COLUMNS
    };
    let panel = |a: usize| {
        let (f, d) = (&facts[a], &datasets[a]);
        open(a) && f.largest >= PANEL_LARGEST && d.ncols() <= PANEL && f.filled > FILLED_PANEL
    };
    let all = 0..datasets.len();
    let certain = out.iter().any(|r| r.prepare.of_cells());
    if certain || (all.clone().any(genes) && all.clone().any(panel)) {
        for a in all.filter(|&a| out[a].what.is_none()).collect::<Vec<_>>() {
            let columns = datasets[a].ncols();
            let (prepare, what) = match () {
                () if genes(a) => {
                    (Prepare::Counts, "counts of genes (whole numbers, mostly zero, beside counts of cells)".into())
                }
                // Most antibodies have names such as CD3, so that names of genes without any of these are genes.
                () if panel(a) && named[a] == Named::Genes && antibodies(&datasets[a]) < FEW => {
                    let why = format!("{columns} columns with names of genes, whole numbers beside counts of cells");
                    (Prepare::Counts, format!("counts of a panel of genes ({why})"))
                }
                () if panel(a) => {
                    (Prepare::Proteins, format!("counts of proteins ({columns} columns of whole numbers beside counts of cells)"))
                }
                () => continue,
            };
            out[a] = Recognised { prepare, what: Some(what) };
        }
    }
    out
}

/// Facts about the entries.
struct Facts {
    sparse: bool,
    /// No entry is negative.
    from_zero: bool,
    /// Every entry is a whole number.
    whole: bool,
    largest: f64,
    /// Mean of the entries that are not zero.
    mean: f64,
    filled: f64,
    /// Share of all counts in the heaviest hundredth of the columns.
    top: f64,
}

impl Facts {
    fn of(rows: &Rows) -> Self {
        // Dense numbers of which one is negative are nothing that could be recognised, whatever the others are.
        let negative = match rows {
            Rows::Sparse(_) => false,
            Rows::F64(m) => m.as_slice().iter().any(|v| *v < 0.0),
            Rows::F32(m) => m.as_slice().iter().any(|v| *v < 0.0),
        };
        if negative {
            return Self { sparse: false, from_zero: false, whole: false, largest: 1.0, mean: 0.0, filled: 1.0, top: 0.0 };
        }
        let mut columns = vec![0.0; rows.ncols()];
        let (mut from_zero, mut whole, mut largest, mut stored) = (true, true, 0.0f64, 0usize);
        each_entry(rows, |_, j, v| {
            from_zero &= v >= 0.0;
            whole &= v.fract() == 0.0;
            largest = largest.max(v);
            stored += usize::from(v != 0.0);
            columns[j] += v;
        });
        let total: f64 = columns.iter().sum();
        columns.sort_unstable_by(|a, b| b.total_cmp(a));
        let top: f64 = columns[..columns.len().div_ceil(100)].iter().sum();
        Self {
            sparse: matches!(rows, Rows::Sparse(_)),
            from_zero,
            whole,
            largest,
            mean: total / stored.max(1) as f64,
            filled: stored as f64 / (rows.nrows() as f64 * rows.ncols() as f64),
            top: top / total.max(f64::MIN_POSITIVE),
        }
    }
}

/// Calls `f(row, column, value)` for every stored entry, in order.
fn each_entry(rows: &Rows, mut f: impl FnMut(usize, usize, f64)) {
    match rows {
        Rows::Sparse(m) => (0..m.nrows()).for_each(|i| m.row(i).for_each(|(j, v)| f(i, j as usize, v))),
        Rows::F64(m) => m.rows().enumerate().for_each(|(i, r)| r.iter().enumerate().for_each(|(j, v)| f(i, j, *v))),
        Rows::F32(m) => m.rows().enumerate().for_each(|(i, r)| r.iter().enumerate().for_each(|(j, v)| f(i, j, f64::from(*v)))),
    }
}

/// The share of names that are `ok`, among those that are looked at.
fn share_of(names: &[String], ok: fn(&str) -> bool) -> f64 {
    let looked = || names.iter().step_by(names.len().div_ceil(LOOKED_AT).max(1));
    looked().filter(|n| ok(n)).count() as f64 / looked().count().max(1) as f64
}

fn antibodies(dataset: &Dataset) -> f64 {
    dataset.columns().map_or(0.0, |names| share_of(names, is_antibody))
}

fn names_of(dataset: &Dataset) -> Named {
    let Some(names) = dataset.columns() else { return Named::Nothing };
    let share = |ok: fn(&str) -> bool| share_of(names, ok);
    let word = |n: &str| n.chars().all(|c| c.is_alphabetic() && !c.is_uppercase());
    match () {
        () if share(is_place) >= MOST => Named::Peaks,
        // Column numbers are not names.
        () if share(|n| n.parse::<f64>().is_ok()) >= MOST => Named::Nothing,
        () if share(is_antibody) >= 0.5 => Named::Proteins,
        () if share(word) > 0.5 => Named::Words,
        () if share(is_gene) >= 0.5 => Named::Genes,
        () => Named::Nothing,
    }
}

/// `chr1:100-200`, `chr1-100-200`, `1_100_200`, `GL000194.1:100-200`.
fn is_place(name: &str) -> bool {
    let mut parts = name.rsplitn(3, [':', '-', '_']);
    let number = |part: Option<&str>| part.is_some_and(|p| !p.is_empty() && p.chars().all(|c| c.is_ascii_digit()));
    let (end, start, chromosome) = (parts.next(), parts.next(), parts.next());
    number(end) && number(start) && chromosome.is_some_and(|c| !c.is_empty())
}

/// `CD3`, `CD45RA_TotalSeqB`, `anti-CD19`, `IgG1`, `HLA-DR_ADT`.
fn is_antibody(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    lower.contains("totalseq")
        || lower.ends_with("_adt")
        || lower.starts_with("adt_")
        || lower.starts_with("anti-")
        || lower.starts_with("igg")
        || lower.strip_prefix("cd").is_some_and(digit)
}

/// Symbols of genes have capitals or digits: `ACTB`, `Malat1`, `ENSG00000141510`, `ctcf1`.
fn is_gene(name: &str) -> bool {
    name.len() >= 2 && name.is_ascii() && name.chars().any(|c| c.is_ascii_uppercase()) && !name.contains(' ')
}

/// The median of the row totals, over rows with a positive total; 1 if there is none.
pub(crate) fn median_total(rows: &Rows) -> f64 {
    let mut totals = vec![0.0; rows.nrows()];
    each_entry(rows, |i, _, v| totals[i] += v);
    totals.retain(|t| *t > 0.0);
    totals.sort_unstable_by(f64::total_cmp);
    match totals.len() {
        0 => 1.0,
        n if n % 2 == 1 => totals[n / 2],
        n => 0.5 * (totals[n / 2 - 1] + totals[n / 2]),
    }
}

/// How deep cells were sequenced, and how many of the counts are of mitochondrial genes, for the message that says what was recognised.
/// Empty for anything but counts.
pub(crate) fn depth_in_words(dataset: &Dataset, prepare: Prepare) -> String {
    if !prepare.of_cells() {
        return String::new();
    }
    let mut said = format!(", {:.0} counts per cell in the median", median_total(dataset.rows()));
    let of_mitochondria = |name: &String| name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("mt-"));
    let genes = dataset.columns().filter(|_| matches!(prepare, Prepare::Counts | Prepare::CountsStandardize));
    let chosen: Vec<bool> = genes.map_or_else(Vec::new, |names| names.iter().map(of_mitochondria).collect());
    if chosen.contains(&true) {
        let (mut all, mut own) = (0.0, 0.0);
        each_entry(dataset.rows(), |_, j, v| {
            all += v;
            own += if chosen[j] { v } else { 0.0 };
        });
        said += &format!(", {:.1} % of them mitochondrial", 100.0 * own / f64::max(all, 1.0));
    }
    said
}

/// The `count` columns of largest dispersion among columns of similar mean, from rows of equal totals before the logarithm
/// (Satija et al. 2015; scanpy's flavour "seurat"). Ties with the last are kept too.
pub(crate) fn most_variable(normalised: &Rows, count: usize) -> Vec<bool> {
    at_least(&scores_of_dispersion(normalised, |_| true), count)
}

/// The `count` columns that are among the most variable ones of most batches; of these, those with the largest mean score. Columns
/// without a count in a batch have score 0 there (scanpy's `batch_key`).
pub(crate) fn most_variable_within(normalised: &Rows, count: usize, batches: &Batches) -> Vec<bool> {
    let p = normalised.ncols();
    let (mut votes, mut sums, mut known) = (vec![0usize; p], vec![0.0; p], vec![0usize; p]);
    for b in 0..batches.names().len() {
        let rows: Vec<usize> = (0..normalised.nrows()).filter(|&i| batches.of()[i] as usize == b).collect();
        let part = normalised.select(&rows);
        let mut present = vec![false; p];
        each_entry(&part, |_, j, v| present[j] |= v > 0.0);
        let scores = scores_of_dispersion(&part, |j| present[j]);
        let chosen = match present.iter().filter(|c| **c).count() {
            few if few <= count => present.clone(),
            _ => at_least(&scores, count),
        };
        for j in 0..p {
            votes[j] += usize::from(present[j] && chosen[j]);
            let score = if present[j] { scores[j] } else { 0.0 };
            if !score.is_nan() {
                sums[j] += score;
                known[j] += 1;
            }
        }
    }
    let mean = |j: usize| if known[j] > 0 { sums[j] / known[j] as f64 } else { f64::NEG_INFINITY };
    let mut order: Vec<usize> = (0..p).collect();
    order.sort_by(|&i, &j| votes[j].cmp(&votes[i]).then(mean(j).total_cmp(&mean(i))).then(i.cmp(&j)));
    let mut kept = vec![false; p];
    order.into_iter().take(count).for_each(|j| kept[j] = true);
    kept
}

/// The `count` largest scores, and those equal to the last of them; all if there are no more.
fn at_least(score: &[f64], count: usize) -> Vec<bool> {
    let mut ranked: Vec<f64> = score.iter().copied().filter(|s| !s.is_nan()).collect();
    ranked.sort_unstable_by(|a, b| b.total_cmp(a));
    match ranked.get(count.saturating_sub(1)) {
        Some(last) if count < score.len() => score.iter().map(|s| *s >= *last).collect(),
        _ => vec![true; score.len()],
    }
}

/// How far the dispersion of each column exceeds those of columns of similar mean, among columns that `counts`.
fn scores_of_dispersion(normalised: &Rows, counts: impl Fn(usize) -> bool) -> Vec<f64> {
    let (n, p) = (normalised.nrows() as f64, normalised.ncols());
    let (mut sums, mut squares) = (vec![0.0; p], vec![0.0; p]);
    each_entry(normalised, |_, j, v| sums[j] += v);
    let means: Vec<f64> = sums.iter().map(|s| s / n).collect();
    let mut stored = vec![0.0; p];
    each_entry(normalised, |_, j, v| {
        squares[j] += (v - means[j]) * (v - means[j]);
        stored[j] += 1.0;
    });
    let variance = |j: usize| (squares[j] + (n - stored[j]) * means[j] * means[j]) / (n - 1.0).max(1.0);
    // A column without variance has no dispersion.
    let dispersion: Vec<f64> = (0..p).map(|j| if variance(j) > 0.0 { (variance(j) / means[j]).ln() } else { f64::NAN }).collect();
    let level: Vec<f64> = means.iter().map(|m| m.max(1e-12).ln_1p()).collect();
    let chosen: Vec<usize> = (0..p).filter(|&j| counts(j)).collect();
    let pick = |values: &[f64]| chosen.iter().map(|&j| values[j]).collect::<Vec<f64>>();
    let mut score = vec![f64::NAN; p];
    let found = within_bins(&pick(&level), &pick(&dispersion));
    chosen.iter().zip(found).for_each(|(&j, s)| score[j] = s);
    score
}

/// Each dispersion in units of the standard deviation of its bin of levels, from the mean of the bin.
fn within_bins(level: &[f64], dispersion: &[f64]) -> Vec<f64> {
    let (low, high) = level.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
    let width = (high - low) / BINS as f64;
    // Bins are closed on the right.
    let bin = |v: f64| if width > 0.0 { (((v - low) / width).ceil() as usize).clamp(1, BINS) - 1 } else { 0 };
    let mut held: Vec<Vec<f64>> = vec![vec![]; BINS];
    level.iter().zip(dispersion).filter(|(_, d)| !d.is_nan()).for_each(|(l, d)| held[bin(*l)].push(*d));
    let centre: Vec<(f64, f64)> = held
        .iter()
        .map(|values| {
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n.max(1.0);
            let deviation = (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0).max(1.0)).sqrt();
            // A column alone in its bin has score 1.
            if values.len() == 1 { (0.0, mean) } else { (mean, deviation) }
        })
        .collect();
    let score = |(l, d): (&f64, &f64)| {
        let (mean, deviation) = centre[bin(*l)];
        let score = (d - mean) / deviation;
        if score.is_finite() { score } else { f64::NAN }
    };
    level.iter().zip(dispersion).map(score).collect()
}

/// The first negative entry, and the number of entries that are not whole.
pub(crate) fn faults(rows: &Rows) -> (Option<(usize, usize, f64)>, usize) {
    let (mut negative, mut fractions) = (None, 0);
    each_entry(rows, |i, j, v| {
        if v < 0.0 && negative.is_none() {
            negative = Some((i, j, v));
        }
        fractions += usize::from(v.fract() != 0.0);
    });
    (negative, fractions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Preparation;
    use crate::linalg::{Csr, Matrix};

    fn counts(n: usize, p: usize, most: u64, filled: u64) -> Csr {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 33
        };
        let mut triplets = vec![];
        for i in 0..n {
            for j in 0..p {
                if next() % 100 < filled {
                    triplets.push((i, j, (1 + next() % (1 + most * u64::from((j as u64).is_multiple_of(50)))) as f64));
                }
            }
        }
        Csr::from_triplets(n, p, &triplets).unwrap()
    }

    fn named(name: &str, rows: impl Into<Rows>, column: impl Fn(usize) -> String) -> Dataset {
        let dataset = Dataset::new(name, rows).unwrap();
        let columns = (0..dataset.ncols()).map(column).collect();
        dataset.with_columns(columns).unwrap()
    }

    #[test]
    fn names_tell_peaks_genes_proteins_and_words_apart() {
        for good in ["chr1:100-200", "chrX-5-77", "1-9963-10665", "1_10_20", "GL000194.1:1-2"] {
            assert!(is_place(good), "{good}");
        }
        for bad in ["ACTB", "HLA-A", "chr1", "a-1", "-1-2x"] {
            assert!(!is_place(bad), "{bad}");
        }
        let of = |prepare: &Dataset| recognise(std::slice::from_ref(prepare))[0].prepare;
        let many = || counts(120, 300, 30, 10);
        assert_eq!(of(&named("a", many(), |j| format!("chr1:{}-{}", 100 * j, 100 * j + 99))), Prepare::Peaks);
        assert_eq!(of(&named("a", many(), |j| format!("GENE{j}"))), Prepare::Counts);
        assert_eq!(of(&named("a", many(), |j| format!("CD{j}"))), Prepare::Proteins);
        let word = |j: usize| ["tree", "house", "über", "sea"][j % 4].repeat(1 + j / 4);
        assert_eq!(of(&named("a", many(), word)), Prepare::Center);
        assert_eq!(of(&named("a", many(), |j| j.to_string())), Prepare::Center);
        let text = Dataset::new("a", many()).unwrap().with_recipe(serde_json::json!({"kind": "text"}));
        assert_eq!(of(&text), Prepare::Center);
    }

    #[test]
    fn numbers_tell_counts_from_everything_else() {
        let of = |rows: Rows| recognise(&[Dataset::new("a", rows).unwrap()])[0].prepare;
        assert_eq!(of(Rows::Sparse(counts(120, 6000, 1, 3))), Prepare::Peaks);
        // Counts without names may be words. Small tables, dense tables, negative numbers, fractions and zeros are left alone.
        assert_eq!(of(Rows::Sparse(counts(120, 300, 30, 10))), Prepare::Center);
        assert_eq!(of(Rows::Sparse(counts(90, 300, 30, 10))), Prepare::Center);
        assert_eq!(of(Rows::F64(counts(120, 300, 30, 10).to_dense())), Prepare::Center);
        let mut less = counts(120, 300, 30, 10);
        less.values_mut()[5] = -1.0;
        assert_eq!(of(Rows::Sparse(less.clone())), Prepare::Center);
        // With names of genes, that is said.
        let said = recognise(&[named("a", less.clone(), |j| format!("GENE{j}"))]);
        assert!(said[0].what.as_ref().is_some_and(|what| what.contains("negative")) && said[0].prepare == Prepare::Center);
        less.values_mut()[5] = 0.5;
        assert_eq!(of(Rows::Sparse(less)), Prepare::Center);
        assert_eq!(of(Rows::F64(Matrix::zeros(200, 300))), Prepare::Center);
        // A panel of proteins is one only beside cells.
        let panel = Dataset::new("b", Matrix::from_fn(120, 40, |i, j| ((i * j) % 90) as f64)).unwrap();
        assert_eq!(recognise(std::slice::from_ref(&panel))[0].prepare, Prepare::Center);
        let both = [Dataset::new("a", counts(120, 300, 30, 10)).unwrap(), panel];
        assert_eq!(recognise(&both).iter().map(|r| r.prepare).collect::<Vec<_>>(), [Prepare::Counts, Prepare::Proteins]);
        // Names of genes say that it is a panel of genes; antibodies among them, that it is not.
        let cells = || Dataset::new("a", counts(120, 300, 30, 10)).unwrap();
        let small = |name: fn(usize) -> String| named("b", Matrix::from_fn(120, 52, |i, j| ((i * j) % 90) as f64), name);
        let genes = recognise(&[cells(), small(|j| format!("GENE{j}"))]);
        assert_eq!(genes[1].prepare, Prepare::Counts);
        assert!(genes[1].what.as_ref().unwrap().starts_with("counts of a panel of genes (52 columns"), "{:?}", genes[1]);
        let some = |j: usize| if j.is_multiple_of(5) { format!("CD{j}") } else { format!("PROT{j}") };
        assert_eq!(recognise(&[cells(), small(some)])[1].prepare, Prepare::Proteins);
        let both = [counts(120, 300, 30, 10), counts(120, 6000, 1, 3)].map(|m| Dataset::new("a", m).unwrap());
        assert_eq!(recognise(&both).iter().map(|r| r.prepare).collect::<Vec<_>>(), [Prepare::Counts, Prepare::Peaks]);
        let both = [counts(120, 300, 30, 10), counts(120, 400, 20, 12)].map(|m| Dataset::new("a", m).unwrap());
        assert!(recognise(&both).iter().all(|r| r.prepare == Prepare::Center && r.what.is_none()));
    }

    #[test]
    fn the_median_total_leaves_out_empty_rows() {
        let rows = Matrix::from_rows(&[[1.0, 2.0], [0.0, 0.0], [5.0, 0.0], [0.0, 7.0]]).unwrap();
        assert_eq!(median_total(&Rows::F64(rows.clone())), 5.0);
        assert_eq!(median_total(&Rows::Sparse(Csr::from_dense(&rows))), 5.0);
        assert_eq!(median_total(&Rows::F64(Matrix::zeros(3, 2))), 1.0);
        assert_eq!(Rows::F64(rows).zero_rows(), 1);
    }

    /// By the definition, one column at a time.
    #[test]
    fn dispersions_are_compared_among_columns_of_similar_mean() {
        let whole = counts(60, 80, 9, 30).to_dense();
        // Without ties, which rounding would break either way.
        let rows = Matrix::from_fn(60, 80, |i, j| whole[(i, j)] * (1.0 + 0.01 * ((i * 7 + j * 13) % 97) as f64));
        let p = 80;
        let column = |j: usize| (0..60).map(|i| rows[(i, j)]).collect::<Vec<f64>>();
        let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
        let variance = |v: &[f64]| v.iter().map(|x| (x - mean(v)).powi(2)).sum::<f64>() / (v.len() as f64 - 1.0);
        let level: Vec<f64> = (0..p).map(|j| (1.0 + mean(&column(j))).ln()).collect();
        let dispersion: Vec<f64> = (0..p).map(|j| (variance(&column(j)) / mean(&column(j))).ln()).collect();
        let (low, high) = (level.iter().copied().fold(f64::MAX, f64::min), level.iter().copied().fold(f64::MIN, f64::max));
        let edge = |b: usize| low + (high - low) * b as f64 / 20.0;
        let bin = |v: f64| (0..20).find(|b| v <= edge(b + 1) + 1e-12).unwrap();
        let score = |j: usize| {
            let same: Vec<f64> = (0..p).filter(|&k| bin(level[k]) == bin(level[j])).map(|k| dispersion[k]).collect();
            if same.len() == 1 { 1.0 } else { (dispersion[j] - mean(&same)) / variance(&same).sqrt() }
        };
        let mut order: Vec<usize> = (0..p).collect();
        order.sort_by(|a, b| score(*b).total_cmp(&score(*a)));
        for rows in [Rows::F64(rows.clone()), Rows::Sparse(Csr::from_dense(&rows))] {
            let kept = most_variable(&rows, 25);
            assert!(order[..25].iter().all(|&j| kept[j]));
            assert!(kept.iter().filter(|k| **k).count() <= 27);
            assert!(most_variable(&rows, 80).iter().all(|k| *k) && most_variable(&rows, 500).iter().all(|k| *k));
        }
    }

    /// The preparations as they are defined, on dense rows.
    fn naive(word: Prepare, x: &Matrix<f64>) -> Matrix<f64> {
        let (n, p) = (x.nrows(), x.ncols());
        let total = |i: usize| x.row(i).iter().sum::<f64>();
        let mut y = match word {
            Prepare::Counts | Prepare::CountsStandardize => {
                let mut totals: Vec<f64> = (0..n).map(total).filter(|t| *t > 0.0).collect();
                totals.sort_by(f64::total_cmp);
                let half = totals.len() / 2;
                let middle = if totals.len() % 2 == 1 { totals[half] } else { (totals[half - 1] + totals[half]) / 2.0 };
                Matrix::from_fn(n, p, |i, j| if total(i) > 0.0 { (1.0 + x[(i, j)] * middle / total(i)).ln() } else { 0.0 })
            }
            Prepare::Peaks => {
                let cells = |j: usize| (0..n).filter(|&i| x[(i, j)] > 0.0).count() as f64;
                let value = |i: usize, j: usize| match x[(i, j)] {
                    0.0 => 0.0,
                    v => (1.0 + 1e4 * v / total(i) * n as f64 / cells(j)).ln(),
                };
                let lengths: Vec<f64> = (0..n).map(|i| (0..p).map(|j| value(i, j).powi(2)).sum::<f64>().sqrt()).collect();
                let y = Matrix::from_fn(n, p, |i, j| if lengths[i] > 0.0 { value(i, j) / lengths[i] } else { 0.0 });
                let mean: Vec<f64> = (0..p).map(|j| (0..n).map(|i| y[(i, j)]).sum::<f64>() / n as f64).collect();
                let square: f64 = mean.iter().map(|m| m * m).sum();
                let along = |i: usize| (0..p).map(|j| y[(i, j)] * mean[j]).sum::<f64>() / square;
                return Matrix::from_fn(n, p, |i, j| y[(i, j)] - along(i) * mean[j]);
            }
            _ => {
                let level = |i: usize| (x.row(i).iter().map(|v| (1.0 + v).ln()).sum::<f64>() / p as f64).exp();
                Matrix::from_fn(n, p, |i, j| (1.0 + x[(i, j)] / level(i)).ln())
            }
        };
        for j in 0..p {
            let mean = (0..n).map(|i| y[(i, j)]).sum::<f64>() / n as f64;
            let deviation = ((0..n).map(|i| (y[(i, j)] - mean).powi(2)).sum::<f64>() / (n as f64 - 1.0)).sqrt();
            let by = if word == Prepare::CountsStandardize { deviation } else { 1.0 };
            (0..n).for_each(|i| y.row_mut(i)[j] = if by > 0.0 { (y[(i, j)] - mean) / by } else { 0.0 });
        }
        y
    }

    #[test]
    fn every_preparation_is_its_definition_and_sparse_rows_are_the_same_as_dense_ones() {
        let mut x = counts(40, 30, 9, 30).to_dense();
        x.row_mut(7).fill(0.0);
        (0..40).for_each(|i| x.row_mut(i)[11] = 0.0);
        for word in [Prepare::Counts, Prepare::CountsStandardize, Prepare::Peaks, Prepare::Proteins] {
            let expected = naive(word, &x);
            for rows in [Rows::F64(x.clone()), Rows::Sparse(Csr::from_dense(&x))] {
                let preparation = Preparation::fit(word, &rows);
                let prepared = preparation.apply(&rows).to_dense();
                for (at, v) in prepared.values.iter().enumerate() {
                    let expected = expected[(at / 30, at % 30)];
                    assert!((v - expected).abs() < 1e-12, "{word:?}, {at}: {v} and {expected}");
                }
                // Some of the rows alone, as new rows.
                let few = rows.select(&[3, 7, 20]);
                let again = preparation.apply(&few).to_dense();
                assert!(again.values.iter().enumerate().all(|(at, v)| {
                    let i = [3, 7, 20][at / 30];
                    (v - expected[(i, at % 30)]).abs() < 1e-12
                }));
                let squares: f64 = prepared.values.iter().map(|v| v * v).sum();
                assert!((preparation.apply(&rows).squares() / squares - 1.0).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn only_variable_columns_count_and_depth_does_not() {
        let x = counts(50, VARIABLE + 300, 9, 10);
        let preparation = Preparation::fit(Prepare::Counts, &Rows::Sparse(x.clone()));
        let kept = preparation.factors().unwrap().iter().filter(|f| **f == 1.0).count();
        assert!((VARIABLE..VARIABLE + 20).contains(&kept), "{kept}");
        // A cell sequenced three times as deep is the same cell.
        let mut deeper = x.clone();
        deeper.values_mut().iter_mut().for_each(|v| *v *= 3.0);
        for word in [Prepare::Counts, Prepare::Peaks] {
            let preparation = Preparation::fit(word, &Rows::Sparse(x.clone()));
            let (a, b) = (preparation.apply(&Rows::Sparse(x.clone())), preparation.apply(&Rows::Sparse(deeper.clone())));
            assert!(a.to_dense().values.iter().zip(&b.to_dense().values).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }

    #[test]
    fn negative_counts_are_found_and_never_make_a_number_that_is_not_one() {
        let mut x = counts(40, 30, 9, 30);
        x.values_mut()[4] = -2.0;
        x.values_mut()[9] = 0.5;
        let rows = Rows::Sparse(x);
        let (negative, fractions) = faults(&rows);
        assert_eq!((negative.unwrap().2, fractions), (-2.0, 1));
        for word in [Prepare::Counts, Prepare::CountsStandardize, Prepare::Peaks, Prepare::Proteins] {
            let prepared = Preparation::fit(word, &rows).apply(&rows).to_dense();
            assert!(prepared.values.iter().all(|v| v.is_finite()), "{word:?}");
        }
    }
}
