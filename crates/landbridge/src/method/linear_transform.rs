//! The plain linear transform `X⁺Y` from one dataset's features to another's: a baseline (Chapter11 §5.4.2).

use crate::data::{Dataset, Pairs, Prepare};
use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::tall::Tall;
use crate::linalg::whitening::{Whitener, Whitening};
use crate::method::cca::Paired;
use crate::method::method;
use crate::model::products::{Products, Wanted};
use crate::model::{Alignment, Fitted, LinearMap, Mapping};
use crate::outcome::{Outcome, Warning};
use crate::params::{Threads, threads_setters};
use crate::problem::feature::{Blocks, reduce_to_row_space};
use crate::run::Run;
use crate::solve::ridge::strength_by_cross_validation;
use faer::Mat;
use landbridge_derive::Params;

/// Maps every dataset into the features of the last one by least squares over the pairs: a baseline without a manifold.
///
/// `T = (X'MX + R)⁻¹ X'WY` on the paired rows, where R is the ridge in units of the mean diagonal of `X'MX`. With ridge 0 it
/// is the pseudo-inverse. The joint space is the (prepared) feature space of the last dataset.
///
/// ```
/// use landbridge::data::synthetic::BilingualDocuments;
/// use landbridge::method::LinearTransform;
/// let documents = BilingualDocuments::new(100).generate()?;
/// let alignment = LinearTransform::new().fit(&documents.datasets, &documents.pairs(50, 0)?)?;
/// assert_eq!(alignment.n_components(), documents.datasets[1].ncols());
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> documents = lb.datasets.bilingual_documents(200)
/// >>> a = lb.LinearTransform().fit(documents.datasets, documents.pairs(100))
/// >>> a.embeddings_[0].shape == documents.datasets[1].shape
/// True
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "linear_transform",
    class = "LinearTransform",
    family = "maps",
    paper = "baseline of Wang, Krafft, Mahadevan 2011, §5.4.2",
    choose = "you want the rows of one dataset in the features of the other"
)]
pub struct LinearTransform {
    /// Ridge, in units of the mean diagonal of `X'X`; 0 is the pseudo-inverse.
    /// Auto: chosen from the pairs by generalised cross-validation, at most 1.
    #[param(default = None, auto, min = 0.0, tune = "log 1e-4 10")]
    ridge: Option<f64>,
    /// Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
    #[param(default = Prepare::Center, tune = "words center unit_center center_unit standardize tfidf_center log_tfidf")]
    prepare: Prepare,
    #[group]
    threads: Threads,
}

method!(LinearTransform, from products);

impl LinearTransform {
    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        pairs.check_for(datasets, "the linear transform")?;
        let target = datasets.len() - 1;
        let mut direct = Pairs::none(datasets.len());
        for link in pairs.links().iter().filter(|l| l.b == target) {
            direct.add(link.a, link.i, link.b, link.j, link.weight)?;
        }
        if let Some(a) = (0..target).find(|a| direct.links().iter().all(|l| l.a != *a)) {
            return Err(Error::NotJoined { first: datasets[a].name().into(), second: datasets[target].name().into() });
        }
        let paired = run.step("preparation", |run| Paired::new(datasets, &direct, self.prepare, None, run))?;

        let mass = paired.graph.row_sums();
        let strength = match self.ridge {
            Some(given) => given,
            None => {
                let found = strength_by_cross_validation(&paired.blocks, &paired.links)?;
                run.warnings.extend(found.warning(datasets));
                found.value
            }
        };
        let ridge: Vec<f64> = (0..target).map(|a| strength * paired.blocks.mean_diagonal(a, &mass)).collect();
        let (features, width) = (paired.blocks.columns[target], datasets[target].ncols());
        // The target keeps its features; only the sources are reduced.
        let mut all = paired.blocks;
        let own = all.datasets.split_off(target);
        let scales = all.scales.clone();
        let (reduced, bases) = reduce_to_row_space(Blocks::new(all.datasets))?;
        let mut blocks = reduced.datasets;
        blocks.extend(own);
        let blocks = Blocks { scales, ..Blocks::new(blocks) };
        let (mut fitted, mut rank) = (vec![], 0);
        for (a, basis) in bases.iter().enumerate() {
            run.progress.step("matrices", a, target)?;
            let cross = blocks.across(a, target, &paired.graph);
            let scale = blocks.scales[a] / blocks.scales[target];
            let (map, own_rank) = least_squares(blocks.mass(a, &mass), &cross, ridge[a], scale)?;
            rank += own_rank;
            let map = LinearMap::new(paired.preparations[a].clone(), basis.expand(map), None);
            fitted.push(Fitted::new(&datasets[a], map.transform(datasets[a].rows()), Mapping::Linear(map)));
        }
        let preparation = paired.preparations[target].clone();
        let rows = preparation.apply(datasets[target].rows()).to_dense();
        let rows = Matrix::from_vec(rows.values, datasets[target].nrows(), width)?;
        fitted.push(Fitted::new(&datasets[target], rows, Mapping::Prepared(preparation)));
        let outcome = solved(strength, rank, features, blocks.in_data_units(&ridge), run);
        Ok(Alignment::of(fitted, vec![], outcome))
    }

    fn wanted(&self) -> Wanted {
        Wanted { prepare: self.prepare, around_pairs: false, graph: false }
    }

    fn solve_steps(&self, products: &Products, run: &mut Run<'_>) -> Result<Alignment> {
        let strength = products.strength(self.ridge)?;
        let ridge = products.ridges(strength)[..1].to_vec();
        let [source, target] = &products.sides;
        let scale = source.scale / target.scale;
        let (map, rank) = least_squares(source.own.clone(), &products.cross, ridge[0], scale)?;
        let (features, width) = (source.n_features, target.n_features);
        let map = LinearMap::new(source.preparation.clone(), map, None);
        let fitted =
            vec![source.fitted(width, Mapping::Linear(map)), target.fitted(width, Mapping::Prepared(target.preparation.clone()))];
        let outcome = solved(strength, rank, features, products.in_data_units(&ridge), run);
        Ok(Alignment::of(fitted, vec![], outcome))
    }
}

/// `(B + R)⁻¹ C` for the products B of the source, those C with the target, and a ridge; with the rank of B + R.
fn least_squares(mut own: Mat<f64>, cross: &Mat<f64>, ridge: f64, scale: f64) -> Result<(Matrix<f64>, usize)> {
    (0..own.nrows()).for_each(|i| own[(i, i)] += ridge);
    let whitening = Whitening(vec![Whitener::new(own)?]);
    let (p, width) = (cross.nrows(), cross.ncols());
    let cross =
        Tall { values: (0..p).flat_map(|i| (0..width).map(move |j| (i, j))).map(|at| cross[at]).collect(), stride: width };
    let mut map = whitening.expand(&whitening.shrink(&cross));
    map.values.iter_mut().for_each(|v| *v *= scale);
    Ok((Matrix::from_vec(map.values, p, width)?, whitening.rank()))
}

fn solved(strength: f64, rank: usize, features: usize, ridge: Vec<f64>, run: &mut Run<'_>) -> Outcome {
    let rank = (strength == 0.0).then_some(rank);
    if let Some(rank) = rank.filter(|r| *r < features) {
        run.warn(Warning::RankDeficient { rank, features });
    }
    run.lap("least squares");
    Outcome { rank, ridge: Some(ridge), ..Outcome::direct("Cholesky") }
}
