//! Two-step alignment: embed each dataset by itself, then move the embeddings onto each other by the known pairs, with
//! rotation and scale (Procrustes08) or an affine map (Lafon, Keller, Coifman 2006; Chapter11 §5.4.1).

use crate::data::{Dataset, Link, Pairs, Prepare};
use crate::embed::{Embedder, Embedding, embedder_setters};
use crate::error::{Error, Result};
use crate::geometry::neighbors::{Metric, row_distance};
use crate::linalg::Matrix;
use crate::linalg::tall::{Tall, product};
use crate::method::method;
use crate::model::products::{Products, Side, Wanted};
use crate::model::{Affine, Alignment, Extras, Fitted, Mapping, PairedFit};
use crate::outcome::{Outcome, Status, Warning};
use crate::params::{Threads, threads_setters};
use crate::problem::paired::{Degenerate, Similarity, affine, similarity, similarity_of};
use crate::progress::Progress;
use crate::run::Run;
use faer::Mat;
use landbridge_derive::Params;

/// Embeds each dataset by itself, then rotates, scales and shifts the embeddings onto the first one by the known pairs.
///
/// Let X be the paired rows of the first embedding and Y those of another, both centred on the pairs, and `Y'X = UΣV'`. The
/// rotation `Q = UV'` and the scale `k = tr(Σ) / tr(Y'Y)` minimise `‖X − kYQ‖` (Procrustes08, Theorem 1), and `x ≈ k (y −
/// mean) Q + mean`. With more than two datasets the method minimises the sum over all pairs: it fits each dataset in turn to
/// the current positions of the others until nothing moves. The first dataset is fixed.
///
/// Embeddings of different dimensions are padded with zeros. If the pairs span fewer dimensions than the embeddings, the
/// rotation is not unique: the method takes the smallest one, and the outcome warns. Time: the embeddings, plus O(l d² + d³)
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
///
/// # Python
/// ```python
/// A protein-like chain, stretched and rotated; every fourth point is known.
///
/// >>> import numpy as np, landbridge as lb
/// >>> t = np.linspace(0, 9, 80)
/// >>> X = np.column_stack([np.cos(t), np.sin(t), t / 3])
/// >>> Y = X[:, [2, 0, 1]] / 4 + 7
/// >>> known = np.arange(0, 80, 4)
/// >>> a = lb.ProcrustesAlignment(embedding=None).fit([X, Y], np.column_stack([known, known]))
/// >>> round(float(a.scale_[1]), 6), bool(np.allclose(*a.embeddings_))
/// (4.0, True)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "procrustes",
    class = "ProcrustesAlignment",
    family = "two_step",
    infers,
    paper = "Wang, Mahadevan 2008",
    choose = "each dataset has a good embedding of its own (LSI, Isomap, ...), or is already one (shapes, proteins)"
)]
pub struct ProcrustesAlignment {
    #[group(required)]
    embedding: Embedder,
    /// Fit a scale for each dataset; false: keep the sizes.
    #[param(default = true)]
    scaling: bool,
    /// Allow reflections; false: proper rotations only.
    #[param(default = true)]
    reflection: bool,
    #[group]
    threads: Threads,
}

/// Embeds each dataset by itself, then maps the embeddings onto the first one by affine maps fitted to the pairs.
///
/// Minimises `Σ w |x − yA − t|² + ridge |A|²` over the pairs. More than two datasets are fitted in turn, as in the Procrustes
/// method.
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
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> rolls = lb.datasets.swiss_rolls(500)
/// >>> a = lb.AffineAlignment(2, embedding="isomap", n_neighbors=6).fit(rolls.datasets, rolls.pairs(20))
/// >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10) > 0.9)
/// True
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "affine",
    class = "AffineAlignment",
    family = "two_step",
    infers,
    paper = "Lafon, Keller, Coifman 2006",
    choose = "as for procrustes, if sizes and angles need not be preserved"
)]
pub struct AffineAlignment {
    #[group(required)]
    embedding: Embedder,
    /// Ridge of the affine maps, in units of the mean diagonal of the centred `Y'Y`; 0 is plain least squares.
    #[param(default = 0.0, min = 0.0, tune = "log 1e-4 10")]
    ridge: f64,
    #[group]
    threads: Threads,
}

method!(ProcrustesAlignment, from products);

impl ProcrustesAlignment {
    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        two_steps(self, &self.embedding, datasets, pairs, run)
    }

    fn wanted(&self) -> Wanted {
        let prepare = match &self.embedding {
            Embedder::None(unchanged) => unchanged.preparation(),
            _ => Prepare::None,
        };
        Wanted { prepare, around_pairs: true, graph: false }
    }

    /// As [`two_steps`] for two datasets without an embedding.
    fn solve_steps(&self, products: &Products, run: &mut Run<'_>) -> Result<Alignment> {
        if !matches!(self.embedding, Embedder::None(_)) {
            let what = format!("the embedding \"{}\" from statistics", self.embedding.schema().name);
            let why = "it is found from the rows; statistics turn the rows as they are (embedding none)".into();
            return Err(Error::Undefined { what, why });
        }
        let [target, own] = &products.sides;
        let joint = target.n_features.max(own.n_features);
        let found = products.moments(joint).map(|moments| similarity_of(&moments, self.scaling, self.reflection));
        let found = found.unwrap_or_else(|degenerate| Ok(Err(degenerate)))?;
        let found = found.map_err(|why| refused(why, &own.name, &target.name))?;
        let moved = Move::turned(found, &own.name);
        run.warnings.extend(moved.warning.clone());
        let place = |side: &Side, by: &Move| {
            let still = Mapping::Prepared(side.preparation.clone());
            side.fitted(joint, still.then(&Matrix::zeros(0, side.n_features), by.affine(side.n_features)))
        };
        let fitted = vec![place(target, &Move::none(target.n_features, joint)), place(own, &moved)];
        run.lap("second step");
        let solver = format!("{}: none; {}: none", target.name, own.name);
        Ok(Alignment::of(fitted, vec![], Outcome { iterations: 1, ..Outcome::direct(solver) }))
    }
}

method!(AffineAlignment);

impl AffineAlignment {
    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        two_steps(self, &self.embedding, datasets, pairs, run)
    }
}

/// How one dataset is moved: `z = scale · y · matrix + offset`.
#[derive(Clone)]
struct Move {
    scale: f64,
    matrix: Mat<f64>,
    offset: Vec<f64>,
    /// A warning, if the pairs leave the fit undetermined.
    warning: Option<Warning>,
    ridge: f64,
}

/// The second step.
trait SecondStep: Sync {
    /// The dimension to which an embedding of this width is padded.
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
        Ok(similarity(y, x, weights, self.scaling, self.reflection)?.map(|found| Move::turned(found, dataset)))
    }
}

impl Move {
    /// By the similarity found for the dataset of that name.
    fn turned(found: Similarity, dataset: &str) -> Self {
        let dimensions = found.offset.len();
        Self {
            scale: found.scale,
            matrix: found.rotation,
            offset: found.offset,
            warning: if found.determined < dimensions {
                Some(Warning::RotationUndetermined { dataset: dataset.into(), determined: found.determined, dimensions })
            } else {
                found.mirrored.then(|| Warning::Mirrored { dataset: dataset.into() })
            },
            ridge: 0.0,
        }
    }
    /// No move, of that many coordinates in a joint space of so many dimensions.
    fn none(own: usize, joint: usize) -> Self {
        let matrix = Mat::from_fn(own, joint, |i, j| f64::from(u8::from(i == j)));
        Self { scale: 1.0, matrix, offset: vec![0.0; joint], warning: None, ridge: 0.0 }
    }
    /// As an affine map of the first `own` coordinates: padded ones are zero, and their rows of the matrix have no effect.
    fn affine(&self, own: usize) -> Affine {
        let matrix = Matrix::from_fn(own, self.offset.len(), |i, j| self.scale * self.matrix[(i, j)]);
        Affine { matrix, offset: self.offset.clone() }
    }
}

impl SecondStep for AffineAlignment {
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

/// Largest number of rounds in which each dataset is fitted to the others.
const MOST_ROUNDS: usize = 200;
/// Relative improvement below which a round is the last.
const AT_REST: f64 = 1e-12;

fn two_steps(
    method: &dyn SecondStep,
    embedding: &Embedder,
    datasets: &[Dataset],
    pairs: &Pairs,
    run: &mut Run<'_>,
) -> Result<Alignment> {
    pairs.check_for(datasets, "two-step alignment")?;
    let embeddings = embedding.fit_each(datasets, run.progress)?;
    run.lap("embeddings");
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

    run.progress.step("moving", 0, 0)?;
    let (moves, rounds, at_rest) = fit_moves(method, datasets, &places, joint, pairs.links(), run.progress)?;
    run.lap("second step");

    run.warnings.extend(outcomes.iter().flat_map(|o| o.warnings.clone()));
    run.warnings.extend(moves.iter().filter_map(|m| m.warning.clone()));
    if !at_rest {
        run.warn(Warning::StillMoving { rounds });
    }
    let ridge: Vec<f64> = moves.iter().map(|m| m.ridge).collect();
    let mut fit = PairedFit { scales: vec![], matrices: vec![], offsets: vec![], residuals: vec![] };
    for (own, moved) in fitted.iter_mut().zip(moves) {
        let by = moved.affine(own.embedding.ncols());
        let placed = by.apply(&own.embedding);
        let mapping = std::mem::replace(&mut own.mapping, Mapping::None);
        own.mapping = mapping.then(&own.embedding, by);
        own.embedding = placed;
        fit.scales.push(moved.scale);
        fit.matrices.push(Matrix::from_fn(moved.matrix.nrows(), joint, |i, j| moved.matrix[(i, j)]));
        fit.offsets.push(moved.offset);
    }
    fit.residuals = pairs.links().iter().map(|l| distance(&fitted, l)).collect();
    run.lap("model");
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
        ..Outcome::direct(solvers.join("; "))
    };
    // The joint space is the embedding of the first dataset, and these are its eigenvalues.
    let values = eigenvalues.swap_remove(0);
    let mut alignment = Alignment::of(fitted, values, outcome);
    alignment.extras = Extras::Moved(fit);
    Ok(alignment)
}

fn filled_up(m: &Matrix<f64>, width: usize) -> Matrix<f64> {
    Matrix::from_fn(m.nrows(), width, |i, j| if j < m.ncols() { m[(i, j)] } else { 0.0 })
}

fn distance(fitted: &[Fitted], link: &Link) -> f64 {
    let (x, y) = (fitted[link.a].embedding.row(link.i), fitted[link.b].embedding.row(link.j));
    // Squares of places near 1e200 would overflow.
    row_distance(Metric::Euclidean, x, y)
}

/// The moves, the number of rounds, and whether they converged. The first dataset is fixed. The others are fitted in turn to
/// all their counterparts that have a position. With two datasets, one step is exact.
fn fit_moves(
    method: &dyn SecondStep,
    datasets: &[Dataset],
    places: &[Matrix<f64>],
    joint: usize,
    links: &[Link],
    progress: &Progress,
) -> Result<(Vec<Move>, usize, bool)> {
    let stay = Move::none(places[0].ncols(), joint);
    let c = datasets.len();
    let mut moves: Vec<Option<Move>> = vec![None; c];
    moves[0] = Some(stay);
    let (mut before, mut rounds, mut at_rest) = (f64::INFINITY, 0, false);
    while rounds < MOST_ROUNDS && !at_rest {
        progress.step("moving", rounds, 0)?;
        if rounds == 0 {
            // Breadth-first, from dataset to dataset along the pairs.
            while let Some(a) = next_to_fit(&moves, links) {
                moves[a] = Some(fit_one(method, a, datasets, places, &moves, links)?);
            }
        } else {
            for a in 1..c {
                moves[a] = Some(fit_one(method, a, datasets, places, &moves, links)?);
            }
        }
        rounds += 1;
        // Of two datasets only one moves.
        at_rest = c == 2 || {
            let now = loss(places, &moves, links);
            let gained = std::mem::replace(&mut before, now) - now;
            gained <= AT_REST * now
        };
    }
    Ok((moves.into_iter().flatten().collect(), rounds, at_rest))
}

/// A dataset without a position that shares a pair with one that has a position.
fn next_to_fit(moves: &[Option<Move>], links: &[Link]) -> Option<usize> {
    let joined = |a: usize| {
        let other = |l: &Link| if l.a == a { Some(l.b) } else { (l.b == a).then_some(l.a) };
        links.iter().filter_map(other).any(|b| moves[b].is_some())
    };
    (1..moves.len()).find(|&a| moves[a].is_none() && joined(a))
}

/// The current positions of rows.
fn places_of(places: &Matrix<f64>, moved: &Move, rows: &[usize]) -> Tall {
    let own = Tall { values: places.select_rows(rows).into_vec(), stride: places.ncols() };
    let mut out = product(&own, moved.matrix.as_ref());
    for row in out.values.chunks_exact_mut(moved.offset.len()) {
        row.iter_mut().zip(&moved.offset).for_each(|(v, t)| *v = moved.scale * *v + t);
    }
    out
}

/// Weighted squares of the distances of pairs.
fn loss(places: &[Matrix<f64>], moves: &[Option<Move>], links: &[Link]) -> f64 {
    let mut sorted: Vec<&Link> = links.iter().collect();
    sorted.sort_by_key(|l| (l.a, l.b)); // pairs of the same datasets keep their order
    let mut total = 0.0;
    for of_two in sorted.chunk_by(|x, y| (x.a, x.b) == (y.a, y.b)) {
        let (Some(one), Some(other)) = (&moves[of_two[0].a], &moves[of_two[0].b]) else { continue };
        let rows = |of: fn(&Link) -> usize| of_two.iter().map(|l| of(l)).collect::<Vec<_>>();
        let (x, y) =
            (places_of(&places[of_two[0].a], one, &rows(|l| l.i)), places_of(&places[of_two[0].b], other, &rows(|l| l.j)));
        let squares = |(x, y): (&[f64], &[f64])| x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
        let apart = x.values.chunks_exact(x.stride).zip(y.values.chunks_exact(y.stride)).map(squares);
        total += apart.zip(of_two).map(|(apart, l)| l.weight * apart).sum::<f64>();
    }
    total
}

/// Fits dataset a to its counterparts.
fn fit_one(
    method: &dyn SecondStep,
    a: usize,
    datasets: &[Dataset],
    places: &[Matrix<f64>],
    moves: &[Option<Move>],
    links: &[Link],
) -> Result<Move> {
    // Row of a, partner, its row, weight.
    let mut used: Vec<(usize, usize, usize, f64)> = vec![];
    for l in links {
        let (i, b, j) = match (l.a == a, l.b == a) {
            (true, _) => (l.i, l.b, l.j),
            (_, true) => (l.j, l.a, l.i),
            _ => continue,
        };
        if moves[b].is_some() {
            used.push((i, b, j, l.weight));
        }
    }
    used.sort_by_key(|u| u.1); // partner by partner; pairs keep their order
    let partner = used.last().map_or(0, |u| u.1);
    let mut targets = vec![];
    for of_one in used.chunk_by(|x, y| x.1 == y.1) {
        if let Some(moved) = &moves[of_one[0].1] {
            let rows: Vec<usize> = of_one.iter().map(|u| u.2).collect();
            targets.extend(places_of(&places[of_one[0].1], moved, &rows).values);
        }
    }
    let own = places[a].select_rows(&used.iter().map(|u| u.0).collect::<Vec<_>>());
    let targets = Matrix::from_vec(targets, used.len(), moves.iter().flatten().map(|m| m.offset.len()).next().unwrap_or(0))?;
    let weights: Vec<f64> = used.iter().map(|u| u.3).collect();
    let found = method.step(datasets[a].name(), &own, &targets, &weights)?;
    found.map_err(|why| refused(why, datasets[a].name(), datasets[partner].name()))
}

fn refused(why: Degenerate, own: &str, partner: &str) -> Error {
    let (dataset, problem) = match why {
        Degenerate::Own => (own, "all of them coincide, so the rotation and the scale cannot be determined"),
        Degenerate::Target => (partner, "all of them coincide, so the rotation and the scale cannot be determined"),
        Degenerate::Unrelated => (own, "no rotation brings them nearer to their counterparts"),
    };
    Error::PairsDegenerate { dataset: dataset.into(), problem: problem.into() }
}
