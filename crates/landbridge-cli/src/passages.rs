//! The headline demo: how often each frequent word occurs in a thousand passages, in English and in German.
//!
//! The counts come from the World English Bible and from Luther's translation of 1912, both in the public domain
//! (`experiments/make_passages.py`).

use flate2::read::GzDecoder;
use landbridge::data::Dataset;
use landbridge::error::{Error, Result};
use landbridge::linalg::Csr;
use std::io::Read as _;

const PACKED: &[u8] = include_bytes!("../data/passages.gz");

/// The two datasets, and where row i of the first is in the second, whose rows are shuffled.
pub(crate) fn passages() -> Result<([Dataset; 2], Vec<usize>)> {
    let mut text = String::new();
    let damaged = |why: String| Error::Undefined { what: "the demo \"passages\"".into(), why };
    GzDecoder::new(PACKED).read_to_string(&mut text).map_err(|e| damaged(e.to_string()))?;
    let mut lines = text.lines();
    let mut vocabulary = || lines.next().unwrap_or_default().split(' ').map(String::from).collect::<Vec<_>>();
    let words = [vocabulary(), vocabulary()];
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
    if let Some(at) = rows.iter().position(|row| row.len() != 5) {
        return Err(damaged(format!("passage {at} has {} columns instead of 5", rows[at].len())));
    }
    let n = rows.len();
    // The order of the passages gives nothing away.
    let place = |i: usize| (i * 617 + 293) % n;
    let side = |name: &str, side: usize| {
        let own = |i: usize| if side == 0 { i } else { place(i) };
        let mut triplets = vec![];
        let (mut ids, mut labels) = (vec![String::new(); n], vec![String::new(); n]);
        for (i, row) in rows.iter().enumerate() {
            (ids[own(i)], labels[own(i)]) = (row[1 + side].into(), row[0].into());
            let mut column = 0;
            for cell in row[3 + side].split(' ') {
                let (gap, count) = cell.split_once(':').unwrap_or((cell, "1"));
                let number = |text: &str| text.parse::<usize>().map_err(|_| damaged(format!("passage {i} has a cell {cell}")));
                column += number(gap)?;
                triplets.push((own(i), column, number(count)? as f64));
            }
        }
        let rows = Csr::from_triplets(n, words[side].len(), &triplets)?;
        Dataset::new(name, rows)?.with_columns(words[side].clone())?.with_row_ids(ids)?.with_labels(labels)
    };
    Ok(([side("english", 0)?, side("german", 1)?], (0..n).map(place).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_passages_are_counts_of_both_languages_in_different_orders() {
        let ([english, german], place) = passages().unwrap();
        assert_eq!((english.nrows(), english.ncols(), german.nrows(), german.ncols()), (1000, 2000, 1000, 2000));
        let mut seen = place.clone();
        seen.sort_unstable();
        assert_eq!(seen, (0..1000).collect::<Vec<_>>());
        assert_eq!(english.row_ids().unwrap()[0], "Gen 1:1–10");
        assert_eq!(german.row_ids().unwrap()[place[0]], "1Mo 1,1–10");
        assert_eq!(english.labels().unwrap()[999], german.labels().unwrap()[place[999]]);
        assert!(place.iter().enumerate().filter(|(i, p)| i == *p).count() < 5);
    }
}
