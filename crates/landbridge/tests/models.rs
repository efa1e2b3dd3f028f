//! Models from others: files that were changed by accident or by intent. Each is refused with a message, or is the model that it
//! was; none makes the loader take more memory than the file has, and a megabyte, before its checksum is known to be right.
//!
//! 10,000 changed models by default, 100,000 with `LANDBRIDGE_SLOW=1`.

mod counting;

use counting::{NOW, PEAK, dataset};
use landbridge::Error;
use landbridge::apply::matching::How;
use landbridge::data::Pairs;
use landbridge::geometry::neighbors::Metric;
use landbridge::linalg::Matrix;
use landbridge::model::Alignment;
use landbridge::params::Value;
use landbridge::progress::Progress;
use landbridge::registry;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use safetensors::SafeTensors;
use safetensors::tensor::TensorView;
use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

const KEY: &str = "landbridge";
/// The allocator counts for the whole program, so one test runs at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// A small model of every method, with new rows for its first dataset.
fn models() -> Vec<(&'static str, Vec<u8>)> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let hidden = Matrix::from_fn(30, 3, |_, _| rng.random::<f64>() - 0.5);
    let data = [dataset("a", &hidden, 5, false, 1), dataset("b", &hidden, 4, false, 2)];
    let fitted = |schema: &'static landbridge::params::Schema| {
        let own = |name: &str, value: i128| schema.param(name).map(|_| (name.to_string(), Value::Int(value)));
        let given = own("n_components", 2).into_iter().chain(own("n_neighbors", 5)).collect();
        let method = registry::method(schema.name, given).unwrap();
        let alignment = method.fit_with(&data, &Pairs::first_rows(2, 15), &Progress::silent()).unwrap();
        (schema.name, alignment.to_bytes().unwrap())
    };
    registry::methods().into_iter().map(fitted).collect()
}

fn open(bytes: &[u8]) -> Result<Alignment, Error> {
    Alignment::from_bytes(bytes, Path::new("m.lb"))
}

/// Opens a file and returns the bytes that this took at most.
fn opened(what: &str, bytes: &[u8]) -> (Result<Alignment, Error>, usize) {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let found = catch_unwind(AssertUnwindSafe(|| open(bytes))).unwrap_or_else(|_| panic!("{what}: the loader panics"));
    (found, PEAK.load(Ordering::Relaxed).saturating_sub(before))
}

/// One accident: bits, runs of bytes, lengths, cuts, pieces of another model, digits of the header.
fn damaged(rng: &mut ChaCha8Rng, bytes: &[u8], other: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    // Half of the accidents hit the header, which is a small part of the file.
    let at = if rng.random::<bool>() { rng.random_range(0..header) } else { rng.random_range(0..bytes.len()) };
    let run = at..(at + rng.random_range(1..64usize)).min(bytes.len());
    match rng.random_range(0..8) {
        0 => out[at] ^= 1 << rng.random_range(0..8),
        1 => out[run].iter_mut().for_each(|b| *b = rng.random()),
        2 => out.truncate(at),
        3 => out.extend((0..rng.random_range(1..100)).map(|_| rng.random::<u8>())),
        4 => drop(out.drain(run)),
        5 => drop(out.splice(at..at, bytes[run].to_vec())),
        6 => out[..8].copy_from_slice(&rng.random::<u64>().to_le_bytes()),
        _ => {
            let from = rng.random_range(0..other.len());
            let piece = &other[from..(from + 200).min(other.len())];
            let to = (at + piece.len()).min(out.len());
            drop(out.splice(at..to, piece.to_vec()));
        }
    }
    out
}

/// The same tensors and header with the right checksum: what somebody writes who knows the format.
fn signed(header: &str, tensors: &BTreeMap<String, TensorView<'_>>, format: u32) -> Option<Vec<u8>> {
    let mut sum = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        sum.update(&(bytes.len() as u64).to_le_bytes());
        sum.update(bytes);
    };
    part(header.as_bytes());
    for (name, tensor) in tensors {
        part(name.as_bytes());
        part(format!("{:?} {:?}", tensor.dtype(), tensor.shape()).as_bytes());
        part(tensor.data());
    }
    let checksum = sum.finalize().to_hex().to_string();
    let envelope = serde_json::json!({"format": format, "checksum": checksum, "header": header}).to_string();
    safetensors::serialize(tensors, Some(HashMap::from([(KEY.to_string(), envelope)]))).ok()
}

/// A number, word or list somewhere in the header becomes another one.
fn changed(rng: &mut ChaCha8Rng, json: &mut serde_json::Value) {
    use serde_json::{Value as Json, json};
    match json {
        Json::Object(map) if !map.is_empty() && rng.random_range(0..8) > 0 => {
            let at = rng.random_range(0..map.len());
            if let Some((_, inner)) = map.iter_mut().nth(at) {
                changed(rng, inner);
            }
        }
        Json::Array(list) if !list.is_empty() && rng.random_range(0..8) > 0 => {
            let at = rng.random_range(0..list.len());
            changed(rng, &mut list[at]);
        }
        other => {
            let choices = [
                json!(null),
                json!(-1),
                json!(0),
                json!(1),
                json!(3),
                json!(1e300),
                json!(u64::MAX),
                json!(1u64 << 40),
                json!(""),
                json!("linear"),
                json!([]),
                json!([1, 2, 3]),
                json!({}),
                json!(true),
            ];
            *other = choices[rng.random_range(0..choices.len())].clone();
        }
    }
}

/// A model of somebody who knows the format and means harm: another header or other tensors under the right checksum.
fn forged(rng: &mut ChaCha8Rng, bytes: &[u8]) -> Option<Vec<u8>> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).ok()?;
    let envelope: serde_json::Value = serde_json::from_str(metadata.metadata().as_ref()?.get(KEY)?).ok()?;
    let mut header = envelope["header"].as_str()?.to_string();
    let file = SafeTensors::deserialize(bytes).ok()?;
    let names: Vec<String> = file.names().into_iter().map(String::from).collect();
    let mut tensors: BTreeMap<String, TensorView<'_>> = names.iter().map(|n| (n.clone(), file.tensor(n).unwrap())).collect();
    let name = names[rng.random_range(0..names.len())].clone();
    let mut values = tensors[&name].data().to_vec();
    let (dtype, mut shape) = (tensors[&name].dtype(), tensors[&name].shape().to_vec());
    match rng.random_range(0..5) {
        0 | 1 => {
            let mut json = serde_json::from_str(&header).ok()?;
            changed(rng, &mut json);
            header = json.to_string();
        }
        2 => drop(tensors.remove(&name)),
        3 if !values.is_empty() => {
            let at = rng.random_range(0..values.len());
            let to = (at + 8).min(values.len());
            values[at..to].iter_mut().for_each(|b| *b = rng.random());
            tensors.insert(name, TensorView::new(dtype, shape, &values).ok()?);
            return signed(&header, &tensors, 1);
        }
        _ => {
            shape.reverse();
            tensors.insert(name, TensorView::new(dtype, shape, &values).ok()?);
            return signed(&header, &tensors, 1);
        }
    }
    signed(&header, &tensors, 1)
}

fn count() -> usize {
    if std::env::var_os("LANDBRIDGE_SLOW").is_some() { 100_000 } else { 10_000 }
}

#[test]
fn changed_models_are_refused_or_harmless() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let models = models();
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut refused, mut opened_well, mut largest) = (0, 0, 0);
    for turn in 0..count() {
        let (name, bytes) = &models[turn % models.len()];
        let file = damaged(&mut rng, bytes, &models[(turn + 1) % models.len()].1);
        let what = format!("{name}, change {turn}");
        let (found, taken) = opened(&what, &file);
        match found {
            // The change left the file as it was, or it opens as the same model.
            Ok(model) => assert_eq!(&model.to_bytes().unwrap(), bytes, "{what} opens as another model"),
            Err(error) => {
                refused += 1;
                assert!(error.to_string().starts_with("m.lb: "), "{what}: {error}");
                largest = largest.max(taken.saturating_sub(file.len()));
                assert!(taken <= file.len() + (1 << 20), "{what}: {taken} bytes for a file of {}", file.len());
            }
        }
    }
    assert!(refused > count() * 9 / 10, "{refused} refused");
    // Whole by its checksum, and still not a model: an error, or a model that can be used without a panic.
    let rows = Matrix::from_fn(3, 5, |i, j| (i * j) as f64 * 0.1).into();
    for turn in 0..count() / 2 {
        let (name, bytes) = &models[turn % models.len()];
        let Some(file) = forged(&mut rng, bytes) else { continue };
        let what = format!("{name}, forgery {turn}");
        let (found, taken) = opened(&what, &file);
        assert!(taken <= 8 * file.len() + (1 << 20), "{what}: {taken} bytes for a file of {}", file.len());
        if let Ok(model) = found {
            opened_well += 1;
            let used = catch_unwind(AssertUnwindSafe(|| {
                let _ = model.transform(&rows, 0);
                let _ = model.match_fitted(0, 1, 2, How::Nearest, Metric::Euclidean);
                let _ = model.to_bytes();
            }));
            assert!(used.is_ok(), "{what}: using it panics");
        }
    }
    println!("{refused} refused, {largest} bytes beside the file at most; {opened_well} forgeries open");
    assert!(opened_well > 0);
}

#[test]
fn future_versions_are_refused_by_their_number() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, bytes) = models().swap_remove(0);
    let (_, metadata) = SafeTensors::read_metadata(&bytes).unwrap();
    let envelope: serde_json::Value = serde_json::from_str(&metadata.metadata().as_ref().unwrap()[KEY]).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let tensors: BTreeMap<String, TensorView<'_>> =
        file.names().iter().map(|n| (n.to_string(), file.tensor(n).unwrap())).collect();
    let header = envelope["header"].as_str().unwrap();
    assert_eq!(open(&signed(header, &tensors, 1).unwrap()).unwrap().to_bytes().unwrap(), bytes);
    for version in [0, 2, 3, 77, u32::MAX] {
        let error = open(&signed("a layout of the future", &tensors, version).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), format!("m.lb: model format {version}, this landbridge reads format 1"));
        assert_eq!(error.hint().unwrap(), if version > 1 { "update landbridge" } else { "fit again and save again" });
    }
}

/// Small models of every method, of dense and of sparse rows, with ids, labels and names of columns.
fn named_models() -> Vec<(String, Alignment)> {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let hidden = Matrix::from_fn(24, 3, |_, _| rng.random::<f64>() - 0.5);
    let mut all = vec![];
    for (kind, sparse) in [("", false), ("-sparse", true)] {
        let named = |name: &str, p: usize, seed: u64| {
            let labels = (0..24).map(|i| ["one", "other"][i % 2].to_string()).collect();
            let ids = (0..24).map(|i| format!("{name}{i}")).collect();
            let columns = (0..p).map(|j| format!("{name} {j}")).collect();
            let data = dataset(name, &hidden, p, sparse, seed).with_labels(labels).unwrap();
            data.with_row_ids(ids).unwrap().with_columns(columns).unwrap()
        };
        let data = [named("a", 5, 1), named("b", 4, 2)];
        for schema in registry::methods() {
            let own = |name: &str, value: i128| schema.param(name).map(|_| (name.to_string(), Value::Int(value)));
            let given = own("n_components", 2).into_iter().chain(own("n_neighbors", 5)).collect();
            let method = registry::method(schema.name, given).unwrap();
            match method.fit_with(&data, &Pairs::first_rows(2, 15), &Progress::silent()) {
                Ok(model) => all.push((format!("{}{kind}", schema.name), model)),
                Err(error) => assert!(sparse, "{}: {error}", schema.name),
            }
        }
    }
    all
}

/// What a model answers: places of three new rows, their predictions, and the nearest rows of the fitted ones; nothing where it refuses.
fn answers(model: &Alignment) -> serde_json::Value {
    let rows = Matrix::from_fn(3, 5, |i, j| ((2 * i + 3 * j) % 7) as f64 * 0.25 - 0.5).into();
    let numbers = |found: Result<Matrix<f64>, Error>| found.ok().map(|m| m.as_slice().to_vec());
    let near = model.match_fitted(0, 1, 2, How::Nearest, Metric::Euclidean).ok();
    serde_json::json!({
        "method": model.method(),
        "ids": model.datasets().iter().map(|d| d.row_ids().map(<[_]>::to_vec)).collect::<Vec<_>>(),
        "labels": model.datasets().iter().map(|d| d.labels().map(<[_]>::to_vec)).collect::<Vec<_>>(),
        "pairs": model.pairs().len(),
        "places": numbers(model.transform(&rows, 0)),
        "predicted": numbers(model.predict(&rows, 0, 1)),
        "distances": near.map(|m| m.distances),
    })
}

/// Two answers are the same but for the rounding of another processor.
fn alike(a: &serde_json::Value, b: &serde_json::Value) -> bool {
    use serde_json::Value as Json;
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Json::Object(a), Json::Object(b)) => a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| alike(v, w))),
        (a, b) => a == b,
    }
}

/// The models that are kept as they were written, a folder for each number of the format. `LANDBRIDGE_FILL=1` adds those of new methods,
/// and of a new format; what is there never changes.
#[test]
fn kept_models_of_every_format_open_and_answer_as_they_did() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let fill = std::env::var_os("LANDBRIDGE_FILL").is_some();
    let made = named_models();
    let newest = {
        let bytes = made[0].1.to_bytes().unwrap();
        let (_, metadata) = SafeTensors::read_metadata(&bytes).unwrap();
        let envelope: serde_json::Value = serde_json::from_str(&metadata.metadata().as_ref().unwrap()[KEY]).unwrap();
        envelope["format"].as_u64().unwrap()
    };
    let mut opened_well = 0;
    for format in 1..=newest {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/format-{format}"));
        let list = folder.join("answers.json");
        let text = std::fs::read_to_string(&list).unwrap_or_else(|_| "{}".into());
        let mut known: BTreeMap<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
        if fill && format == newest {
            std::fs::create_dir_all(&folder).unwrap();
            for (name, model) in made.iter().filter(|(name, _)| !known.contains_key(name)).collect::<Vec<_>>() {
                std::fs::write(folder.join(format!("{name}.lb")), model.to_bytes().unwrap()).unwrap();
                known.insert(name.clone(), answers(model));
            }
            std::fs::write(&list, serde_json::to_string(&known).unwrap() + "\n").unwrap();
        }
        for (name, answer) in &known {
            let path = folder.join(format!("{name}.lb"));
            let model = Alignment::from_bytes(&std::fs::read(&path).unwrap(), &path).unwrap();
            let found = answers(&model);
            assert!(alike(answer, &found), "{name} of format {format} answers otherwise:\n{answer}\n{found}");
            // What is written today opens as well, and is the same model.
            let again = open(&model.to_bytes().unwrap()).unwrap();
            assert!(alike(answer, &answers(&again)), "{name} of format {format} does not survive a second writing");
            opened_well += 1;
        }
        let missing: Vec<&String> = made.iter().map(|(name, _)| name).filter(|name| !known.contains_key(*name)).collect();
        assert!(format < newest || missing.is_empty(), "no kept model of {missing:?}; LANDBRIDGE_FILL=1 adds them");
    }
    println!("{opened_well} kept models open");
}
