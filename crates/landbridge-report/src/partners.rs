//! The partners of every row in the other datasets, and the pairs that are known.

use crate::columns::Numbers;
use crate::pack::{Parts, four_bytes, quantized, two_bytes};
use crate::shown::Shown;
use landbridge::apply::matching::{How, Matches, match_rows};
use landbridge::correspondence::Basis;
use landbridge::data::Link;
use landbridge::model::{Alignment, Fitted};
use landbridge::progress::Progress;
use landbridge::{Error, Result};
use landbridge_plot::{sample, thousands};
use serde_json::{Value, json};

/// Partners per row that the page shows.
pub(crate) const PARTNERS: usize = 5;
/// Multiplications that finding partners in one direction may take: two seconds of one core.
const WORK: f64 = 6.0e10;
/// Pairs of rows above which only the two nearest partners are kept.
const MANY: f64 = 4.0e8;
/// Rows of a dataset up to which the page computes the chance of every match.
pub(crate) const CONFIDENT: usize = 2000;
/// No partner.
const NONE: u32 = u32::MAX;

/// The nearest rows of one dataset for rows of another.
pub(crate) struct Partners {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The rows that were asked, ascending: all, or as many as time allows.
    pub(crate) asked: Vec<usize>,
    /// Their nearest rows, best first.
    pub(crate) found: Matches,
}

impl Partners {
    /// The nearest rows of a row, if it was asked.
    fn of(&self, row: usize) -> Option<impl Iterator<Item = (usize, f64)> + '_> {
        let at = if self.asked.len() > row && self.asked[row] == row { row } else { self.asked.binary_search(&row).ok()? };
        Some(self.found.row(at))
    }
    /// The nearest row and its distance, for every row that was asked.
    pub(crate) fn nearest(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.asked.iter().enumerate().filter_map(|(at, row)| self.found.row(at).next().map(|(j, d)| (*row, j, d)))
    }
}

/// The partners of all shown rows, in every direction.
pub(crate) fn find(alignment: &Alignment, shown: &Shown, progress: &Progress) -> Result<Vec<Partners>> {
    let c = alignment.datasets().len();
    let mut all = vec![];
    if !alignment.has_rows() {
        return Ok(all);
    }
    for (from, to) in (0..c).flat_map(|a| (0..c).map(move |b| (a, b))).filter(|(a, b)| a != b) {
        let (source, target) = (alignment.embedding(from), alignment.embedding(to));
        let cost = target.nrows() as f64 * target.ncols().max(8) as f64 * (c - 1) as f64;
        let most = ((WORK / cost) as usize).max(500);
        let asked: Vec<usize> = sample(shown.rows[from].len(), most).into_iter().map(|at| shown.rows[from][at]).collect();
        let all_pairs = asked.len() as f64 * target.nrows() as f64;
        let k = if all_pairs > MANY { 2 } else { PARTNERS }.min(target.nrows());
        let metric = alignment.default_metric();
        let found = match asked.len() == source.nrows() {
            true => match_rows(source, target, k, How::Nearest, metric, progress)?,
            false => match_rows(&source.select_rows(&asked), target, k, How::Nearest, metric, progress)?,
        };
        all.push(Partners { from, to, asked, found });
    }
    Ok(all)
}

/// What the page says if some rows were not asked.
pub(crate) fn note(partners: &[Partners], shown: &Shown) -> Option<String> {
    let (asked, all): (Vec<usize>, Vec<usize>) = partners.iter().map(|p| (p.asked.len(), shown.rows[p.from].len())).unzip();
    let (asked, all) = (asked.iter().sum::<usize>(), all.iter().sum::<usize>());
    (asked < all).then(|| {
        format!(
            "partners were computed for {} of {} rows, an even sample; the others show none",
            thousands(asked),
            thousands(all)
        )
    })
}

/// Row numbers and distances of the partners of every shown row.
pub(crate) fn pack(partners: &[Partners], shown: &Shown, parts: &mut Parts) -> Value {
    let mut list = vec![];
    for p in partners {
        // Of very many rows the first partner alone; its distance colours the rows.
        let k = if shown.len() > 40_000 { 1 } else { p.found.k };
        let mut rows = vec![NONE; shown.rows[p.from].len() * k];
        let mut distances = vec![f64::NAN; rows.len()];
        for (at, row) in shown.rows[p.from].iter().enumerate() {
            for (rank, (j, d)) in p.of(*row).into_iter().flatten().take(k).enumerate() {
                rows[at * k + rank] = j as u32;
                distances[at * k + rank] = d;
            }
        }
        let name = format!("partners-{}-{}", p.from, p.to);
        if !parts.want(&name, &four_bytes(&rows), "partners of the rows") {
            continue;
        }
        let (mut scale, codes) = quantized(&distances);
        let distances = format!("distances-{}-{}", p.from, p.to);
        scale["part"] = match parts.want(&distances, &two_bytes(&codes), "distances of the partners") {
            true => json!(distances),
            false => Value::Null,
        };
        list.push(json!({"from": p.from, "to": p.to, "k": k, "part": name, "distance": scale}));
    }
    list.into()
}

/// Both ends of every link whose rows are on the page, as places on it.
pub(crate) fn pack_links(links: &[Link], shown: &Shown, name: &str, parts: &mut Parts) -> Value {
    let ends: Vec<u32> =
        links.iter().filter_map(|l| Some([shown.place(l.a, l.i)? as u32, shown.place(l.b, l.j)? as u32])).flatten().collect();
    let what = if name == "pairs" { "known pairs" } else { "true pairs" };
    let there = !ends.is_empty() && parts.want(name, &four_bytes(&ends), what);
    json!({"total": links.len(), "shown": if there { ends.len() / 2 } else { 0 }, "part": there.then_some(name)})
}

/// The chance that the match of each row is right, to colour by: where it is defined, the fit is trusted, and there are few enough rows
/// that it takes seconds. Where there are several other datasets, the surest match counts.
pub(crate) fn pack_confidence(
    alignment: &Alignment,
    shown: &Shown,
    position: usize,
    parts: &mut Parts,
    progress: &Progress,
) -> Result<Option<Value>> {
    let c = alignment.datasets().len();
    let few = |d: &Fitted| (1..=CONFIDENT).contains(&d.nrows());
    if !alignment.has_rows() || !alignment.datasets().iter().all(few) {
        return Ok(None);
    }
    let mut sides: Vec<Option<Vec<f64>>> = vec![None; c];
    for (from, to) in (0..c).flat_map(|a| (0..c).map(move |b| (a, b))).filter(|(a, b)| a != b) {
        let found = match alignment.match_confidence_with(None, from, to, progress) {
            Ok(found) => found,
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            // Not defined for this method, without a verdict, or for so few rows.
            Err(_) => continue,
        };
        if matches!(found.basis, Basis::Refused(_)) {
            continue;
        }
        match &mut sides[from] {
            Some(best) => best.iter_mut().zip(&found.confidence).for_each(|(b, p)| *b = b.max(*p)),
            none => *none = Some(found.confidence),
        }
    }
    if sides.iter().all(Option::is_none) {
        return Ok(None);
    }
    let numbers = Numbers {
        name: "trust: chance that the match is right".into(),
        about: "The chance that the best match by CSLS is right, by refits that did not see the row; small means no partner."
            .into(),
        group: "trust",
        sides,
    };
    Ok(numbers.pack(shown, position, parts))
}

/// Numbers per row to colour by.
pub(crate) fn pack_numbers(alignment: &Alignment, partners: &[Partners], shown: &Shown, parts: &mut Parts) -> Vec<Value> {
    if partners.is_empty() {
        return vec![];
    }
    let sizes: Vec<usize> = alignment.datasets().iter().map(|d| d.nrows()).collect();
    let empty = || sizes.iter().map(|n| Some(vec![f64::NAN; *n])).collect::<Vec<_>>();
    let (mut margin, mut chosen) = (empty(), empty());
    for p in partners {
        for row in &p.asked {
            let mut near = p.of(*row).into_iter().flatten();
            if let (Some((_, d)), Some((_, e)), Some(best)) = (near.next(), near.next(), &mut margin[p.from]) {
                let share = if e > 0.0 { 1.0 - d / e } else { 0.0 };
                // The nearest dataset counts where there are several.
                best[*row] = best[*row].max(share);
            }
        }
        if let Some(counts) = &mut chosen[p.to] {
            counts.iter_mut().filter(|v| v.is_nan()).for_each(|v| *v = 0.0);
            p.nearest().for_each(|(_, j, _)| counts[j] += 1.0);
        }
    }
    // The distances are on the page already, with the partners.
    let mut list = vec![json!({
        "name": "distance to the partner", "group": "trust", "part": null,
        "about": "Distance to the nearest row of another dataset; large means no good partner.",
    })];
    let made = [
        ("trust: margin of the partner", "How much nearer the partner is than the second: 0 is a tie, 1 is certain.", margin),
        ("times chosen", "For how many rows of other datasets this row is the nearest; large means a hub.", chosen),
    ];
    for (name, about, sides) in made {
        let numbers = Numbers { name: name.into(), about: about.into(), group: "trust", sides };
        list.extend(numbers.pack(shown, list.len(), parts));
    }
    list
}
