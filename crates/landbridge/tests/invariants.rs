//! Numerical invariants of every method in the registry, on rows of double and single precision and sparse rows, of two and three
//! datasets. A method that does not promise one says so in its declaration (`unpromised`).

#[path = "invariants/data.rs"]
mod data;
#[path = "invariants/properties.rs"]
mod properties;

use data::{Fitting, Stored, datasets, defaults, half, sheets, with_word};
use landbridge::Error;
use landbridge::linalg::Matrix;
use landbridge::registry;
use properties::Property;
use std::collections::BTreeSet;

/// Why a property does not hold, for every way to store two and three datasets.
fn failures(fitting: &Fitting, property: &Property) -> Vec<String> {
    let mut wrong = vec![];
    for stored in [Stored::F64, Stored::F32, Stored::Sparse] {
        for count in [2, 3] {
            if let Err(why) = (property.holds)(fitting, stored, count) {
                wrong.push(format!("{}: {}: {stored:?}, {count} datasets: {why}", fitting.name(), property.word));
            }
        }
    }
    wrong
}

#[test]
fn every_method_keeps_what_it_promises() {
    let (mut wrong, mut checks) = (vec![], 0);
    for fitting in defaults() {
        for property in properties::all() {
            let unpromised = fitting.schema.unpromised.iter().any(|(word, _)| *word == property.word);
            let found = failures(&fitting, &property);
            checks += 6;
            match (unpromised, found.is_empty()) {
                (false, _) => wrong.extend(found),
                (true, true) => wrong.push(format!("{} has {}: take it from `unpromised`", fitting.name(), property.word)),
                (true, false) => {}
            }
        }
    }
    println!("{checks} checks");
    assert!(wrong.is_empty(), "{} of {checks}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn declarations_name_properties_and_reasons() {
    let may: BTreeSet<&str> = properties::all().iter().filter(|p| p.may_be_missed).map(|p| p.word).collect();
    for schema in registry::methods() {
        for (word, why) in schema.unpromised {
            assert!(
                may.contains(word),
                "{}: \"{word}\" is promised by every method; those that need not be: {may:?}",
                schema.name
            );
            assert!(why.len() > 20 && !why.ends_with('.'), "{}: {word}: \"{why}\"", schema.name);
        }
    }
    for schema in registry::embeddings() {
        assert!(schema.unpromised.is_empty(), "{}: embeddings are tested by two-step methods", schema.name);
    }
}

/// Squares of such numbers vanish or overflow unless they are scaled first.
#[test]
fn words_that_square_the_data_take_any_scale() {
    let scale = properties::all().into_iter().find(|p| p.word == "scale").unwrap();
    let words = [
        ("cca", "prepare", "standardize"),
        ("cca", "prepare", "center_unit"),
        ("linear", "weights", "cosine"),
        ("cca", "prepare", "unit"),
    ];
    for (method, parameter, word) in words {
        let wrong = failures(&with_word(method, parameter, word), &scale);
        assert!(wrong.is_empty(), "{parameter}={word}:\n{}", wrong.join("\n"));
    }
}

/// The eigenvalues of Isomap are squares of distances: a model that holds infinite ones could be written and never read.
#[test]
fn numbers_that_a_model_cannot_hold_are_refused() {
    let isomap = with_word("procrustes", "embedding", "isomap");
    for exponent in [-200, 200] {
        let mut matrices = sheets(2);
        matrices[1] =
            Matrix::from_fn(matrices[1].nrows(), matrices[1].ncols(), |i, j| matrices[1][(i, j)] * 10f64.powi(exponent));
        let refused = isomap.fit(&datasets(Stored::F64, &matrices), &half(2)).unwrap_err();
        assert!(matches!(refused, Error::Overflow { .. }), "times 1e{exponent}: {refused}");
        assert!(refused.hint().unwrap().contains("rescale"), "{refused}");
    }
    isomap.fit(&datasets(Stored::F64, &sheets(2)), &half(2)).unwrap();
}
