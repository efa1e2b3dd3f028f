//! A fitted map as plain numbers, for use without this library.

use crate::data::{Preparation, Prepare};
use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::model::{Alignment, DatasetRef, LinearMap, Mapping};

/// The steps from a row x to its image, in this order: `ln(1 + |x|)` with the sign of x, if `log`; times `factors`; to length 1, if
/// `unit_before`; less `mean`; to length 1, if `unit_after`; times `matrix`; plus `offset`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinearForm {
    /// The dataset that rows come from.
    pub source: String,
    /// "the joint space", or the dataset whose features the image has.
    pub target: String,
    /// Number of columns of a row.
    pub n_features: usize,
    /// Whether counts enter by their logarithm.
    pub log: bool,
    /// Factor of each column.
    pub factors: Option<Vec<f64>>,
    /// Whether rows have length 1 before the mean is subtracted; zero rows stay zero.
    pub unit_before: bool,
    /// What is subtracted.
    pub mean: Option<Vec<f64>>,
    /// Whether rows have length 1 after that; zero rows stay zero.
    pub unit_after: bool,
    /// One row per column of x, one column per coordinate of the image. `None`: the identity.
    pub matrix: Option<Matrix<f64>>,
    /// What is added at the end.
    pub offset: Option<Vec<f64>>,
}

impl LinearForm {
    fn of(source: &str, target: &str, preparation: &Preparation, matrix: Option<Matrix<f64>>, offset: Option<Vec<f64>>) -> Self {
        let prepare = preparation.prepare();
        Self {
            source: source.into(),
            target: target.into(),
            n_features: 0,
            log: prepare == Prepare::LogTfidf,
            factors: preparation.factors().map(<[_]>::to_vec),
            unit_before: prepare.unit_first(),
            mean: preparation.mean().map(<[_]>::to_vec),
            unit_after: prepare == Prepare::CenterUnit,
            matrix,
            offset,
        }
    }
    /// Number of coordinates of the image.
    pub fn width(&self) -> usize {
        self.matrix.as_ref().map_or(self.n_features, Matrix::ncols)
    }
    /// The steps in words and formulas, one line each.
    pub fn formula(&self) -> String {
        let mut lines = vec![format!("x: a row of \"{}\", {} numbers", self.source, self.n_features)];
        if self.log {
            lines.push("x = sign(x) * ln(1 + |x|)".into());
        }
        if self.factors.is_some() {
            lines.push("x = x * factors".into());
        }
        if self.unit_before {
            lines.push("x = x / |x|             (a zero row stays zero)".into());
        }
        if self.mean.is_some() {
            lines.push("x = x - mean".into());
        }
        if self.unit_after {
            lines.push("x = x / |x|             (a zero row stays zero)".into());
        }
        if let Some(matrix) = &self.matrix {
            lines.push(format!("z = x @ matrix          ({} by {})", matrix.nrows(), matrix.ncols()));
        } else {
            lines.push("z = x".into());
        }
        if self.offset.is_some() {
            lines.push("z = z + offset".into());
        }
        lines.push(format!("z: the row in {}, {} numbers", self.target, self.width()));
        lines.join("\n")
    }
}

impl Alignment {
    /// The map of a dataset into the joint space: what `transform` computes.
    pub fn linear_form<'a>(&self, dataset: impl Into<DatasetRef<'a>>) -> Result<LinearForm> {
        let fitted = &self.fitted[self.position(dataset)?];
        let joint = "the joint space";
        let undefined = |why: String| Error::Undefined { what: format!("an export of \"{}\"", fitted.name()), why };
        let preparation = match &fitted.mapping {
            Mapping::Linear(map) => Some(&map.preparation),
            Mapping::Sparse(map) => Some(&map.preparation),
            Mapping::Prepared(preparation) => Some(preparation),
            _ => None,
        };
        if let Some(prepare) = preparation.map(Preparation::prepare).filter(|p| p.of_cells()) {
            let word = crate::params::Words::word(&prepare);
            return Err(undefined(format!("its rows are prepared by \"{word}\", which the exported formats do not have")));
        }
        if matches!(&fitted.mapping, Mapping::Linear(map) if map.unit) {
            return Err(undefined("its images get length 1 (unit_length), which the exported formats do not have".into()));
        }
        if matches!(&fitted.mapping, Mapping::Linear(map) if map.batches.is_some()) {
            return Err(undefined("its rows are centred within batches, which the exported formats do not have".into()));
        }
        let form = match &fitted.mapping {
            Mapping::Linear(map) if fitted.known_means.is_none() => {
                let mut matrix = map.weights.clone();
                if let Some(weights) = &map.component_weights {
                    let d = weights.len();
                    matrix.as_mut_slice().chunks_mut(d.max(1)).for_each(|r| r.iter_mut().zip(weights).for_each(|(v, w)| *v *= w));
                }
                LinearForm::of(fitted.name(), joint, &map.preparation, Some(matrix), map.offset.clone())
            }
            Mapping::Sparse(map) => LinearForm::of(fitted.name(), joint, &map.preparation, Some(map.weights.to_dense()), None),
            Mapping::Prepared(preparation) => LinearForm::of(fitted.name(), joint, preparation, None, None),
            _ => {
                let why = format!("method \"{}\" places its rows by their neighbours, which is not a linear map", self.method);
                return Err(undefined(why));
            }
        };
        Ok(LinearForm { n_features: fitted.n_features(), ..form })
    }

    /// The map from the features of one dataset to those of another: what `map` computes.
    pub fn map_form<'a, 'b>(&self, source: impl Into<DatasetRef<'a>>, target: impl Into<DatasetRef<'b>>) -> Result<LinearForm> {
        let (s, t) = (self.position(source)?, self.position(target)?);
        let form = self.linear_form(s)?;
        let name = format!("the features of \"{}\"", self.fitted[t].name());
        if let Mapping::Prepared(_) = self.fitted[t].mapping {
            return Ok(LinearForm { target: name, ..form });
        }
        // The images of the unit vectors and of zero: `map` is affine behind the preparation.
        let bare = |preparation: Preparation| {
            let mut copy = self.clone();
            match &mut copy.fitted[s].mapping {
                Mapping::Linear(LinearMap { preparation: own, .. }) => *own = preparation,
                Mapping::Sparse(map) => map.preparation = preparation,
                Mapping::Prepared(own) => *own = preparation,
                _ => {}
            }
            copy
        };
        let copy = bare(Preparation { prepare: Prepare::None, factors: None, mean: None, total: None });
        let p = form.n_features;
        let at_zero = copy.map(&Matrix::<f64>::zeros(1, p).into(), s, t)?;
        let units = Matrix::from_fn(p, p, |i, j| f64::from(u8::from(i == j)));
        let mut matrix = copy.map(&units.into(), s, t)?;
        let offset = at_zero.row(0).to_vec();
        let q = matrix.ncols();
        matrix.as_mut_slice().chunks_mut(q.max(1)).for_each(|r| r.iter_mut().zip(&offset).for_each(|(v, o)| *v -= o));
        let offset = offset.iter().any(|v| *v != 0.0).then_some(offset);
        Ok(LinearForm { target: name, matrix: Some(matrix), offset, ..form })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::synthetic::RotatedCopies;
    use crate::embed::Pca;
    use crate::method::{Cca, LinearTransform, Method, ProcrustesAlignment};
    use crate::progress::Progress;

    /// The steps, one row at a time.
    fn applied(form: &LinearForm, x: &[f64]) -> Vec<f64> {
        let unit = |x: Vec<f64>| {
            let length = x.iter().map(|v| v * v).sum::<f64>().sqrt();
            if length > 0.0 { x.iter().map(|v| v / length).collect() } else { x }
        };
        let mut x = x.to_vec();
        if let Some(factors) = &form.factors {
            x.iter_mut().zip(factors).for_each(|(v, f)| *v *= f);
        }
        if form.unit_before {
            x = unit(x);
        }
        if let Some(mean) = &form.mean {
            x.iter_mut().zip(mean).for_each(|(v, m)| *v -= m);
        }
        if form.unit_after {
            x = unit(x);
        }
        let mut z = match &form.matrix {
            Some(f) => (0..f.ncols()).map(|j| x.iter().enumerate().map(|(i, v)| v * f[(i, j)]).sum()).collect(),
            None => x,
        };
        if let Some(offset) = &form.offset {
            z.iter_mut().zip(offset).for_each(|(v, o)| *v += o);
        }
        z
    }

    #[test]
    fn the_steps_give_what_the_model_gives() {
        let copies = RotatedCopies::new(60).n_features(7).noise(0.1).generate().unwrap();
        let pairs = copies.pairs(40, 0).unwrap();
        let prepared = |p| Cca::new(4).prepare(p);
        let methods: Vec<Box<dyn Method>> = vec![
            Box::new(prepared(Prepare::UnitCenter)),
            Box::new(prepared(Prepare::CenterUnit).ridge(Some(0.1))),
            Box::new(prepared(Prepare::Standardize)),
            Box::new(LinearTransform::new()),
            Box::new(ProcrustesAlignment::new(Pca::new(3))),
        ];
        for method in methods {
            let fitted = method.fit_with(&copies.datasets, &pairs, &Progress::silent()).unwrap();
            for (s, t) in [(0, 1), (1, 0)] {
                let rows = copies.datasets[s].rows();
                let mut x = vec![0.0; 7];
                let near = |a: &[f64], b: &[f64]| {
                    let size = b.iter().fold(1e-3f64, |m, v| m.max(v.abs()));
                    assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9 * size), "{a:?} {b:?}");
                };
                let (form, placed) = (fitted.linear_form(s).unwrap(), fitted.transform(rows, s).unwrap());
                rows.copy_row(3, &mut x);
                near(&applied(&form, &x), placed.row(3));
                let Ok(mapped) = fitted.map(rows, s, t) else { continue };
                near(&applied(&fitted.map_form(s, t).unwrap(), &x), mapped.row(3));
            }
        }
    }
}
