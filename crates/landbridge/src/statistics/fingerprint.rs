//! What tells shards apart: hashes of their rows, ids and pairs, in any order.

use crate::data::{Dataset, Link, Rows, RowsRef};
use rayon::prelude::*;

/// A hash that hashes of parts are added to, so that their order does not matter.
type Print = [u128; 2];

fn print_of(hash: &blake3::Hasher) -> Print {
    let bytes = hash.finalize();
    let (low, high) = bytes.as_bytes().split_at(16);
    [low, high].map(|half| u128::from_le_bytes(half.try_into().unwrap_or_default()))
}

fn sum(prints: impl Iterator<Item = Print>) -> Print {
    prints.fold([0; 2], |[a, b], [c, d]| [a.wrapping_add(c), b.wrapping_add(d)])
}

pub(super) fn add_print(hash: &mut blake3::Hasher, print: Print) {
    print.iter().for_each(|half| {
        hash.update(&half.to_le_bytes());
    });
}

/// A hash for each row: its values, by the names of the columns where these differ, and its id.
pub(super) fn rows_of(dataset: &Dataset) -> Vec<Print> {
    let (rows, ids) = (RowsRef::from(dataset.rows()), dataset.row_ids());
    let mut order: Vec<usize> = (0..dataset.ncols()).collect();
    if let Some(names) = dataset.columns() {
        order.sort_by(|&i, &j| names[i].cmp(&names[j]));
    }
    let one = |(values, bytes): &mut (Vec<f64>, Vec<u8>), i: usize| {
        rows.copy_row(i, values);
        bytes.clear();
        // −0 is 0, so that sparse rows are what they are when dense.
        order.iter().for_each(|&j| bytes.extend((values[j] + 0.0).to_le_bytes()));
        let mut hash = blake3::Hasher::new();
        hash.update(bytes).update(&[u8::from(ids.is_some())]);
        if let Some(ids) = ids {
            hash.update(ids[i].as_bytes());
        }
        print_of(&hash)
    };
    let own = || (vec![0.0; dataset.ncols()], vec![]);
    (0..dataset.nrows()).into_par_iter().map_init(own, one).collect()
}

/// The hash of a shard, from those of the rows of both datasets.
pub(super) fn of_shard(rows: &[Vec<Print>; 2], pairs: &[Link]) -> blake3::Hasher {
    let mut hash = blake3::Hasher::new();
    for side in rows {
        hash.update(&(side.len() as u64).to_le_bytes());
        add_print(&mut hash, sum(side.iter().copied()));
    }
    let pair = |link: &Link| {
        let mut hash = blake3::Hasher::new();
        add_print(&mut hash, rows[0][link.i]);
        add_print(&mut hash, rows[1][link.j]);
        print_of(hash.update(&link.weight.to_le_bytes()))
    };
    hash.update(&(pairs.len() as u64).to_le_bytes());
    add_print(&mut hash, sum(pairs.iter().map(pair)));
    hash
}

/// The hash of all ids, if every dataset has ids.
pub(super) fn of_ids(datasets: &[Dataset]) -> Option<String> {
    let mut all = blake3::Hasher::new();
    for dataset in datasets {
        let one = |id: &String| print_of(blake3::Hasher::new().update(id.as_bytes()));
        add_print(&mut all, sum(dataset.row_ids()?.iter().map(one)));
        all.update(&(dataset.nrows() as u64).to_le_bytes());
    }
    Some(all.finalize().to_hex().to_string())
}

/// Adds shape and values, as doubles.
pub(super) fn add_rows_to(hash: &mut blake3::Hasher, rows: &Rows) {
    hash.update(&(rows.nrows() as u64).to_le_bytes()).update(&(rows.ncols() as u64).to_le_bytes());
    // Many rows at a time: the hash takes long for short pieces.
    const TOGETHER: usize = 64;
    let p = rows.ncols();
    let mut values = vec![0.0; TOGETHER * p];
    let mut bytes = vec![0u8; 8 * values.len()];
    for from in (0..rows.nrows()).step_by(TOGETHER) {
        let count = TOGETHER.min(rows.nrows() - from);
        (0..count).for_each(|i| RowsRef::from(rows).copy_row(from + i, &mut values[i * p..(i + 1) * p]));
        // −0 is 0, so that sparse rows are what they are when dense.
        bytes.as_chunks_mut::<8>().0.iter_mut().zip(&values).for_each(|(to, v)| *to = (v + 0.0).to_le_bytes());
        hash.update(&bytes[..8 * count * p]);
    }
}
