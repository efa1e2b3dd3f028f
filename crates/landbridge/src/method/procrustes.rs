//! Two-step alignment: each dataset is embedded by itself, then the embeddings are moved onto each other by the known
//! pairs, by rotation and scale (Procrustes08) or by an affine map (Lafon, Keller, Coifman 2006; Chapter11 §5.4.1).

use crate::data::{Dataset, Link, Pairs, check_datasets};
use crate::embed::{Embedder, Embedding};
use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::method::setters;
use crate::model::{Affine, Alignment, Fitted, PairedFit};
use crate::outcome::{Outcome, Status, Stopwatch, Warning};
use crate::params::check_ridge;
use crate::problem::paired::{Degenerate, affine, similarity};
use crate::progress::{Progress, with_threads};
use faer::Mat;
use serde::{Deserialize, Serialize};

/// Embeds each dataset by itself, then turns, scales and shifts the embeddings onto that of the first by the known pairs.
///
/// For paired rows X of the first and Y of another embedding, centred on the pairs: `Y'X = UΣV'`, rotation `Q = UV'`, scale
/// `k = tr(Σ) / tr(Y'Y)` minimise `‖X − kYQ‖` (Procrustes08, Theorem 1); `x ≈ k (y − mean) Q + mean`. With more than two
/// datasets the least sum over all pairs: each in turn is fitted to the others where they now are, until nothing moves; the
/// first stays where it is.
///
/// | parameter | default | purpose |
/// |---|---|---|
/// | `embedding` | required | any of [`crate::embed`]; [`crate::embed::Unchanged`] for none |
/// | `scaling` | true | find a scale; false: 1 |
/// | `reflection` | true | mirror images are allowed; false: proper rotations only |
///
/// Embeddings of unlike dimensions are filled up with zeros. Pairs that span fewer dimensions than the embeddings leave
/// the rotation open: the least turn is taken, and the outcome warns. Time: the embeddings; the second step is O(l d² + d³)
/// for l pairs.
///
/// ```
/// use landbridge::data::synthetic::BilingualDocuments;
/// use landbridge::embed::Lsi;
/// use landbridge::method::ProcrustesAlignment;
/// let documents = BilingualDocuments::new(200).generate()?;
/// let alignment = ProcrustesAlignment::new(Lsi::new(10)).fit(&documents.datasets, &documents.pairs(100, 0)?)?;
/// assert!(alignment.paired_fit().unwrap().scales[1] > 0.0);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProcrustesAlignment {
    #[serde(flatten)]
    embedding: Embedder,
    scaling: bool,
    reflection: bool,
    #[serde(skip)]
    n_jobs: usize,
}

/// Embeds each dataset by itself, then maps the embeddings onto that of the first by affine maps fitted to the pairs.
///
/// The least `Σ w |x − yA − t|² + ridge |A|²` over the pairs. More than two datasets as in [`ProcrustesAlignment`].
///
/// | parameter | default | purpose | range |
/// |---|---|---|---|
/// | `embedding` | required | any of [`crate::embed`] | |
/// | `ridge` | 0 | in units of the mean diagonal of the centred `Y'Y`; 0 is plain least squares | ≥ 0 |
///
/// ```
/// use landbridge::data::synthetic::BilingualDocuments;
/// use landbridge::embed::Pca;
/// use landbridge::method::AffineAlignment;
/// let documents = BilingualDocuments::new(200).generate()?;
/// let alignment = AffineAlignment::new(Pca::new(8)).ridge(0.01).fit(&documents.datasets, &documents.pairs(100, 0)?)?;
/// assert_eq!(alignment.n_components(), 8);
/// # Ok::<(), landbridge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AffineAlignment {
    #[serde(flatten)]
    embedding: Embedder,
    // Named apart from the ridge that an embedding may have.
    #[serde(rename = "affine_ridge")]
    ridge: f64,
    #[serde(skip)]
    n_jobs: usize,
}

macro_rules! fits {
    ($name:ident, $word:literal) => {
        impl $name {
            /// Aligns the datasets by the known pairs.
            pub fn fit(&self, datasets: &[Dataset], pairs: &Pairs) -> Result<Alignment> {
                self.fit_with(datasets, pairs, &Progress::silent())
            }
            /// As `fit`, telling of its progress.
            pub fn fit_with(&self, datasets: &[Dataset], pairs: &Pairs, progress: &Progress) -> Result<Alignment> {
                let params = serde_json::to_value(self).unwrap_or_default();
                with_threads(self.n_jobs, || two_steps(self, $word, params, &self.embedding, datasets, pairs, progress))
            }
        }
    };
}
fits!(ProcrustesAlignment, "procrustes");
fits!(AffineAlignment, "affine");

impl ProcrustesAlignment {
    /// Over that embedding.
    pub fn new(embedding: impl Into<Embedder>) -> Self {
        Self { embedding: embedding.into(), scaling: true, reflection: true, n_jobs: 0 }
    }
    setters! {
        /// Whether a scale is found.
        scaling: bool => scaling;
        /// Whether mirror images are allowed.
        reflection: bool => reflection;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }
}

impl AffineAlignment {
    /// Over that embedding.
    pub fn new(embedding: impl Into<Embedder>) -> Self {
        Self { embedding: embedding.into(), ridge: 0.0, n_jobs: 0 }
    }
    setters! {
        /// Ridge, in units of the mean diagonal of the centred `Y'Y`.
        ridge: f64 => ridge;
        /// Threads, 0 = all cores. Results never depend on it.
        n_jobs: usize => n_jobs;
    }
}

/// How one dataset is moved: `z = scale · y · matrix + offset`.
#[derive(Clone)]
struct Move {
    scale: f64,
    matrix: Mat<f64>,
    offset: Vec<f64>,
    /// What to say about it, where the pairs left something open.
    warning: Option<Warning>,
    ridge: f64,
}

/// The second step.
trait SecondStep: Sync {
    fn check(&self) -> Result<()>;
    /// Coordinates an embedding of that width is filled up to.
    fn width(&self, own: usize, widest: usize) -> usize;
    /// Dimensions of the joint space.
    fn joint(&self, first: usize, widest: usize) -> usize;
    /// Rows y of the dataset of that name onto x.
    fn step(
        &self,
        dataset: &str,
        y: &Matrix<f64>,
        x: &Matrix<f64>,
        weights: &[f64],
    ) -> Result<std::result::Result<Move, Degenerate>>;
}

impl SecondStep for ProcrustesAlignment {
    fn check(&self) -> Result<()> {
        Ok(())
    }
    fn width(&self, _: usize, widest: usize) -> usize {
        widest
    }
    fn joint(&self, _: usize, widest: usize) -> usize {
        widest
    }
    fn step(
        &self,
        dataset: &str,
        y: &Matrix<f64>,
        x: &Matrix<f64>,
        weights: &[f64],
    ) -> Result<std::result::Result<Move, Degenerate>> {
        let dimensions = y.ncols();
        Ok(similarity(y, x, weights, self.scaling, self.reflection)?.map(|found| Move {
            scale: found.scale,
            matrix: found.rotation,
            offset: found.offset,
            warning: if found.determined < dimensions {
                Some(Warning::RotationUndetermined { dataset: dataset.into(), determined: found.determined, dimensions })
            } else {
                found.mirrored.then(|| Warning::Mirrored { dataset: dataset.into() })
            },
            ridge: 0.0,
        }))
    }
}

impl SecondStep for AffineAlignment {
    fn check(&self) -> Result<()> {
        check_ridge(Some(self.ridge))
    }
    fn width(&self, own: usize, _: usize) -> usize {
        own
    }
    fn joint(&self, first: usize, _: usize) -> usize {
        first
    }
    fn step(&self, _: &str, y: &Matrix<f64>, x: &Matrix<f64>, weights: &[f64]) -> Result<std::result::Result<Move, Degenerate>> {
        let features = y.ncols();
        Ok(affine(y, x, weights, self.ridge)?.map(|found| Move {
            scale: 1.0,
            matrix: found.matrix,
            offset: found.offset,
            warning: (found.rank < features).then_some(Warning::RankDeficient { rank: found.rank, features }),
            ridge: found.ridge,
        }))
    }
}

/// Rounds of fitting each dataset to the others, at most.
const MOST_ROUNDS: usize = 200;
/// A round that improves the fit by less than this share is the last.
const AT_REST: f64 = 1e-12;

fn two_steps(
    method: &dyn SecondStep,
    name: &str,
    params: serde_json::Value,
    embedding: &Embedder,
    datasets: &[Dataset],
    pairs: &Pairs,
    progress: &Progress,
) -> Result<Alignment> {
    check_datasets(datasets)?;
    method.check()?;
    pairs.check_for(datasets, "two-step alignment")?;
    let mut watch = Stopwatch::start();
    let embeddings = embedding.fit_each(datasets, progress)?;
    watch.lap("embeddings");
    let (mut fitted, mut eigenvalues, mut outcomes) = (vec![], vec![], vec![]);
    for (fit, values, outcome) in embeddings.into_iter().map(Embedding::into_parts) {
        fitted.push(fit);
        eigenvalues.push(values);
        outcomes.push(outcome);
    }
    let widest = fitted.iter().map(|f| f.embedding.ncols()).max().unwrap_or(0);
    let joint = method.joint(fitted[0].embedding.ncols(), widest);
    let places: Vec<Matrix<f64>> =
        fitted.iter().map(|f| filled_up(&f.embedding, method.width(f.embedding.ncols(), widest))).collect();

    progress.step("moving", 0, 0)?;
    let (moves, rounds, at_rest) = fit_moves(method, datasets, &places, joint, pairs.links(), progress)?;
    watch.lap("second step");

    let mut warnings: Vec<Warning> = outcomes.iter().flat_map(|o| o.warnings.clone()).collect();
    warnings.extend(moves.iter().filter_map(|m| m.warning.clone()));
    if !at_rest {
        warnings.push(Warning::StillMoving { rounds });
    }
    let ridge: Vec<f64> = moves.iter().map(|m| m.ridge).collect();
    let mut fit = PairedFit { scales: vec![], matrices: vec![], offsets: vec![], residuals: vec![] };
    for (own, moved) in fitted.iter_mut().zip(moves) {
        // Coordinates that were filled up are zero: their rows of the matrix say nothing.
        let matrix = Matrix::from_fn(own.embedding.ncols(), joint, |i, j| moved.scale * moved.matrix[(i, j)]);
        let by = Affine { matrix, offset: moved.offset.clone() };
        let placed = by.apply(&own.embedding);
        let mapping = std::mem::replace(&mut own.mapping, crate::model::Mapping::None);
        own.mapping = mapping.then(&own.embedding, by);
        own.embedding = placed;
        fit.scales.push(moved.scale);
        fit.matrices.push(Matrix::from_fn(moved.matrix.nrows(), joint, |i, j| moved.matrix[(i, j)]));
        fit.offsets.push(moved.offset);
    }
    fit.residuals = pairs.links().iter().map(|l| distance(&fitted, l)).collect();
    watch.lap("model");
    let worst = outcomes.iter().map(|o| o.residual).fold(0.0, f64::max);
    let converged = outcomes.iter().all(|o| o.status == Status::Converged);
    let solvers: Vec<String> = datasets.iter().zip(&outcomes).map(|(d, o)| format!("{}: {}", d.name(), o.solver)).collect();
    let outcome = Outcome {
        status: if converged { Status::Converged } else { Status::ReducedAccuracy },
        residual: worst,
        tolerance: outcomes[0].tolerance,
        iterations: rounds,
        zero_solutions: outcomes.iter().map(|o| o.zero_solutions).sum(),
        components: outcomes.iter().map(|o| o.components).max().unwrap_or(1),
        ridge: ridge.iter().any(|r| *r > 0.0).then_some(ridge),
        seconds: watch.finish(),
        warnings,
        ..Outcome::direct(solvers.join("; "))
    };
    // The joint space is the first dataset's embedding, and these are its eigenvalues.
    let values = eigenvalues.swap_remove(0);
    let mut alignment = Alignment::new(name, params, fitted, values, pairs.links().to_vec(), outcome);
    alignment.paired_fit = Some(fit);
    Ok(alignment)
}

fn filled_up(m: &Matrix<f64>, width: usize) -> Matrix<f64> {
    Matrix::from_fn(m.nrows(), width, |i, j| if j < m.ncols() { m[(i, j)] } else { 0.0 })
}

fn distance(fitted: &[Fitted], link: &Link) -> f64 {
    let (x, y) = (fitted[link.a].embedding.row(link.i), fitted[link.b].embedding.row(link.j));
    x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}

/// The moves, the rounds it took, and whether they came to rest. The first dataset stays; the others are fitted in turn to
/// all their counterparts that have a place already. Two datasets: one step, exact.
fn fit_moves(
    method: &dyn SecondStep,
    datasets: &[Dataset],
    places: &[Matrix<f64>],
    joint: usize,
    links: &[Link],
    progress: &Progress,
) -> Result<(Vec<Move>, usize, bool)> {
    let stay = Move {
        scale: 1.0,
        matrix: Mat::from_fn(places[0].ncols(), joint, |i, j| f64::from(u8::from(i == j))),
        offset: vec![0.0; joint],
        warning: None,
        ridge: 0.0,
    };
    let c = datasets.len();
    let mut moves: Vec<Option<Move>> = vec![None; c];
    moves[0] = Some(stay);
    let (mut before, mut rounds, mut at_rest) = (f64::INFINITY, 0, false);
    while rounds < MOST_ROUNDS && !at_rest {
        progress.step("moving", rounds, 0)?;
        if rounds == 0 {
            // From dataset to dataset along the pairs.
            while let Some(a) = next_to_fit(&moves, links) {
                moves[a] = Some(fit_one(method, a, datasets, places, &moves, links)?);
            }
        } else {
            for a in 1..c {
                moves[a] = Some(fit_one(method, a, datasets, places, &moves, links)?);
            }
        }
        rounds += 1;
        let loss: f64 = links
            .iter()
            .map(|l| {
                let (x, y) = (place(places, &moves, l.a, l.i), place(places, &moves, l.b, l.j));
                l.weight * x.iter().zip(&y).map(|(x, y)| (x - y) * (x - y)).sum::<f64>()
            })
            .sum();
        at_rest = c == 2 || before - loss <= AT_REST * loss;
        before = loss;
    }
    Ok((moves.into_iter().flatten().collect(), rounds, at_rest))
}

/// A dataset without a place that has a pair with one that has.
fn next_to_fit(moves: &[Option<Move>], links: &[Link]) -> Option<usize> {
    let joined = |a: usize| {
        let other = |l: &Link| if l.a == a { Some(l.b) } else { (l.b == a).then_some(l.a) };
        links.iter().filter_map(other).any(|b| moves[b].is_some())
    };
    (1..moves.len()).find(|&a| moves[a].is_none() && joined(a))
}

/// A row where its dataset now is.
fn place(places: &[Matrix<f64>], moves: &[Option<Move>], a: usize, i: usize) -> Vec<f64> {
    let Some(moved) = &moves[a] else { return vec![] };
    let y = places[a].row(i);
    let sum = |j: usize| y.iter().enumerate().map(|(c, v)| v * moved.matrix[(c, j)]).sum::<f64>();
    moved.offset.iter().enumerate().map(|(j, t)| moved.scale * sum(j) + t).collect()
}

/// Dataset a onto its counterparts.
fn fit_one(
    method: &dyn SecondStep,
    a: usize,
    datasets: &[Dataset],
    places: &[Matrix<f64>],
    moves: &[Option<Move>],
    links: &[Link],
) -> Result<Move> {
    let (mut own, mut targets, mut weights, mut partner) = (vec![], vec![], vec![], 0);
    for l in links {
        let (i, b, j) = match (l.a == a, l.b == a) {
            (true, _) => (l.i, l.b, l.j),
            (_, true) => (l.j, l.a, l.i),
            _ => continue,
        };
        if moves[b].is_some() {
            own.push(places[a].row(i).to_vec());
            targets.push(place(places, moves, b, j));
            weights.push(l.weight);
            partner = b;
        }
    }
    let found = method.step(datasets[a].name(), &Matrix::from_rows(&own)?, &Matrix::from_rows(&targets)?, &weights)?;
    found.map_err(|why| {
        let (dataset, problem) = match why {
            Degenerate::Own => (a, "all of them lie at one place, so that neither turn nor scale can be found"),
            Degenerate::Target => (partner, "all of them lie at one place, so that neither turn nor scale can be found"),
            Degenerate::Unrelated => (a, "no turn brings them any nearer to their counterparts"),
        };
        Error::PairsDegenerate { dataset: datasets[dataset].name().into(), problem: problem.into() }
    })
}
