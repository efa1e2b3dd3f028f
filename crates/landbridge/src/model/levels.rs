//! Alignments at several levels: a hierarchy of nested joint spaces, of which an alignment shows one at a time.

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::tall::{Tall, product};
use crate::model::{Alignment, Extras, Fitted, LinearMap, Mapping, NeighborExtension};
use crate::solve::wavelets::{WaveletLevel, check_level};
use faer::Mat;
use std::sync::Arc;

/// One dataset at the finest level.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finest {
    /// The fitted rows.
    pub(crate) embedding: Matrix<f64>,
    /// The map, if the mapping is linear.
    pub(crate) map: Option<Matrix<f64>>,
}

/// All levels of an alignment, finest first. The spaces are nested, so every level is the finest one times a matrix.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hierarchy {
    pub(crate) levels: Vec<WaveletLevel>,
    pub(crate) finest: Vec<Finest>,
    /// Scaling functions of the coarser levels, expressed in those of the finest.
    pub(crate) bases: Vec<Matrix<f64>>,
    /// The entry of `bases` of each level; `None` is the finest itself.
    pub(crate) basis_of: Vec<Option<usize>>,
}

fn times(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    let a = Tall { values: a.as_slice().to_vec(), stride: a.ncols() };
    let out = product(&a, Mat::from_fn(b.nrows(), b.ncols(), |i, j| b[(i, j)]).as_ref());
    Matrix::from_fn(a.n(), b.ncols(), |i, j| out.values[i * b.ncols() + j])
}

impl Hierarchy {
    /// A dataset at a level: its rows, and its map if there is one.
    fn at(&self, dataset: usize, level: usize) -> Finest {
        let finest = &self.finest[dataset];
        match self.basis_of[level] {
            None => finest.clone(),
            Some(b) => Finest {
                embedding: times(&finest.embedding, &self.bases[b]),
                map: finest.map.as_ref().map(|m| times(m, &self.bases[b])),
            },
        }
    }
}

impl Alignment {
    fn hierarchy(&self) -> Option<(&Arc<Hierarchy>, usize)> {
        if let Extras::Levels(hierarchy, shown) = &self.extras { Some((hierarchy, *shown)) } else { None }
    }
    /// The levels of a multiscale alignment, finest first; `None` for other methods.
    pub fn levels(&self) -> Option<&[WaveletLevel]> {
        self.hierarchy().map(|(h, _)| &h.levels[..])
    }
    /// The level of the embeddings, maps and matches of this alignment.
    pub fn level(&self) -> Option<usize> {
        self.hierarchy().map(|(_, shown)| shown)
    }
    /// The same alignment at another level; all its methods then refer to that level.
    pub fn at_level(&self, level: usize) -> Result<Alignment> {
        let Some((hierarchy, _)) = self.hierarchy() else {
            return Err(Error::Undefined {
                what: "a level".into(),
                why: format!("method \"{}\" has only one joint space (multiscale has several)", self.method),
            });
        };
        check_level(level, hierarchy.levels.len())?;
        let d = hierarchy.levels[level].dimension;
        let mut out = self.clone();
        for (a, fitted) in out.fitted.iter_mut().enumerate() {
            let Finest { embedding, map } = hierarchy.at(a, level);
            fitted.embedding = embedding;
            match (&mut fitted.mapping, map) {
                (Mapping::Linear(linear), Some(weights)) => linear.weights = weights,
                (Mapping::Neighbors(extension), _) => extension.damping = vec![1.0; d],
                _ => {}
            }
        }
        out.extras = Extras::Levels(hierarchy.clone(), level);
        Ok(out)
    }

    /// Adds levels. `fitted` and the finest level must still be the same.
    pub(crate) fn with_levels(
        mut self,
        levels: Vec<WaveletLevel>,
        bases: Vec<Option<Arc<Matrix<f64>>>>,
        show: usize,
    ) -> Result<Self> {
        let finest = |f: &Fitted| Finest {
            embedding: f.embedding.clone(),
            map: match &f.mapping {
                Mapping::Linear(LinearMap { weights, .. }) => Some(weights.clone()),
                Mapping::Neighbors(NeighborExtension { .. }) | Mapping::None => None,
                _ => None,
            },
        };
        let (mut distinct, mut basis_of): (Vec<Arc<Matrix<f64>>>, Vec<Option<usize>>) = (vec![], vec![]);
        for basis in bases {
            basis_of.push(basis.map(|b| {
                distinct.iter().position(|known| Arc::ptr_eq(known, &b)).unwrap_or_else(|| {
                    distinct.push(b);
                    distinct.len() - 1
                })
            }));
        }
        let hierarchy = Hierarchy {
            levels,
            finest: self.fitted.iter().map(finest).collect(),
            bases: distinct.into_iter().map(|b| Arc::try_unwrap(b).unwrap_or_else(|b| b.as_ref().clone())).collect(),
            basis_of,
        };
        self.extras = Extras::Levels(Arc::new(hierarchy), 0);
        if show == 0 { Ok(self) } else { self.at_level(show) }
    }
}

impl Alignment {
    /// The tree of levels: for each component of a level, the component of the next coarser level with which its function
    /// overlaps most. Empty for the coarsest.
    pub fn parents(&self, level: usize) -> Result<Vec<usize>> {
        let Some((hierarchy, _)) = self.hierarchy() else { return self.at_level(level).map(|_| vec![]) };
        check_level(level, hierarchy.levels.len())?;
        if level + 1 == hierarchy.levels.len() {
            return Ok(vec![]);
        }
        let count = hierarchy.levels[level].dimension;
        let (Some(coarse), fine) = (hierarchy.basis_of[level + 1], hierarchy.basis_of[level]) else {
            return Ok((0..count).collect()); // both are the finest level itself
        };
        let coarse = &hierarchy.bases[coarse];
        let overlap = match fine {
            None => coarse.clone(),
            Some(f) => crate::solve::wavelets::coordinates(&hierarchy.bases[f], coarse),
        };
        let largest =
            |row: &[f64]| (0..row.len()).max_by(|a, b| row[*a].abs().total_cmp(&row[*b].abs()).then(b.cmp(a))).unwrap_or(0);
        Ok(overlap.rows().map(largest).collect())
    }
}
