//! Numerical invariants of every method and embedding in the registry, on rows of double and single precision and sparse rows: methods
//! of two and three datasets, embeddings of one. A method that does not promise one says so in its declaration (`unpromised`), an
//! embedding in the list below.

#[path = "invariants/data.rs"]
mod data;
#[path = "invariants/properties.rs"]
mod properties;

use data::{Fitting, Stored, datasets, defaults, embeddings, half, sheet, sheets, with_word};
use landbridge::Error;
use landbridge::data::Pairs;
use landbridge::linalg::Matrix;
use landbridge::registry;
use properties::Property;
use std::collections::BTreeSet;

/// What embeddings do not promise, and why.
const UNPROMISED: &[(&str, &str, &str)] = &[
    ("lsi", "rotation", "the weights are of single columns, so they depend on the axes"),
    ("lsi", "scale", "the logarithm of counts is not proportional to them"),
    ("pca", "scale", "variances are squares: where double precision cannot hold them the fit is refused"),
    ("isomap", "scale", "new rows are placed by squared distances: where double precision cannot hold them the fit is refused"),
];

/// Why a property does not hold, for every way to store the datasets.
fn failures(fitting: &Fitting, property: &Property) -> Vec<String> {
    let mut wrong = vec![];
    for stored in [Stored::F64, Stored::F32, Stored::Sparse] {
        for &count in fitting.counts() {
            if let Err(why) = (property.holds)(fitting, stored, count) {
                wrong.push(format!("{}: {}: {stored:?}, {count} dataset(s): {why}", fitting.name(), property.word));
            }
        }
    }
    wrong
}

/// Every property of every fitting holds, or is declared to be missing and is.
fn all_keep_what_they_promise(fittings: &[Fitting], properties: &[Property], missed: impl Fn(&Fitting, &str) -> bool) {
    let (mut wrong, mut checks) = (vec![], 0);
    for fitting in fittings {
        for property in properties {
            let found = failures(fitting, property);
            checks += 3 * fitting.counts().len();
            match (missed(fitting, property.word), found.is_empty()) {
                (false, _) => wrong.extend(found),
                (true, true) => wrong.push(format!("{} has {}: take it from `unpromised`", fitting.name(), property.word)),
                (true, false) => {}
            }
        }
    }
    println!("{checks} checks");
    assert!(checks > 0 && wrong.is_empty(), "{} of {checks}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_method_keeps_what_it_promises() {
    all_keep_what_they_promise(&defaults(), &properties::all(), |fitting, word| {
        fitting.schema.unpromised.iter().any(|(missed, _)| *missed == word)
    });
}

#[test]
fn every_embedding_keeps_what_it_promises() {
    let of_one: Vec<Property> = properties::all().into_iter().filter(|p| !p.of_pairs).collect();
    all_keep_what_they_promise(&embeddings(), &of_one, |fitting, word| {
        UNPROMISED.iter().any(|(name, missed, _)| *name == fitting.name() && *missed == word)
    });
}

/// Enough rows that threads share the work, but for two methods that would take minutes.
#[test]
fn twenty_fits_on_one_and_two_threads_have_the_same_bytes() {
    let mut fits = 0;
    for fitting in defaults().into_iter().chain(embeddings()) {
        let count = fitting.counts()[0];
        let rows = if matches!(fitting.name(), "self_training" | "lamvu") { 90 } else { 400 };
        let matrices: Vec<Matrix<f64>> = (0..count).map(|s| sheet(rows, 12 + s, s + 1)).collect();
        let data = datasets(Stored::F64, &matrices);
        let pairs = Pairs::first_rows(count, rows / 2);
        let bytes = |threads| fitting.fit_on(threads, &data, &pairs).unwrap().to_bytes().unwrap();
        let first = bytes(1);
        for run in 1..20 {
            let threads = 1 + run % 2;
            assert!(bytes(threads) == first, "{}: fit {run}, on {threads} thread(s), has other bytes", fitting.name());
        }
        fits += 20;
    }
    println!("{fits} fits");
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
        assert!(schema.unpromised.is_empty(), "{}: the list of this file has what embeddings do not promise", schema.name);
    }
    for (name, word, why) in UNPROMISED {
        assert!(registry::embeddings().iter().any(|schema| schema.name == *name), "there is no embedding {name}");
        assert!(may.contains(word) && why.len() > 20 && !why.ends_with('.'), "{name}: {word}: \"{why}\"");
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

/// The eigenvalues of PCA and Isomap are squares: a model that holds infinite ones could be written and never read.
#[test]
fn numbers_that_a_model_cannot_hold_are_refused() {
    let embedded = |name: &str| embeddings().into_iter().find(|e| e.name() == name).unwrap();
    for (fitting, exponents) in [
        (with_word("procrustes", "embedding", "isomap"), &[-200, 200][..]),
        (embedded("isomap"), &[-200, 200]),
        (embedded("pca"), &[200]),
    ] {
        let count = fitting.counts()[0];
        for &exponent in exponents {
            let mut matrices = sheets(count);
            let last = matrices.pop().unwrap();
            matrices.push(Matrix::from_fn(last.nrows(), last.ncols(), |i, j| last[(i, j)] * 10f64.powi(exponent)));
            let refused = fitting.fit(&datasets(Stored::F64, &matrices), &half(count)).unwrap_err();
            assert!(matches!(refused, Error::Overflow { .. }), "{} times 1e{exponent}: {refused}", fitting.name());
            assert!(refused.hint().unwrap().contains("rescale"), "{refused}");
        }
        fitting.fit(&datasets(Stored::F64, &sheets(count)), &half(count)).unwrap();
    }
}
