//! Diffusion wavelets.

use crate::convert::{CsrArrays, array2, csr_arrays, matrix, word};
use crate::errors;
use crate::fit::graph;
use crate::run::run;
use landbridge::solve::wavelets::{Construction, DiffusionWavelets, OperatorRef, Wavelets as Built};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use std::sync::Arc;

/// A hierarchy of nested spaces.
#[pyclass(frozen, module = "landbridge._landbridge")]
pub(crate) struct Wavelets {
    inner: Arc<Built>,
}

#[pymethods]
impl Wavelets {
    /// Of a dense operator, or of a sparse one as (row starts, column numbers, values, columns).
    #[staticmethod]
    fn build(
        py: Python<'_>,
        operator: &Bound<'_, PyAny>,
        precision: f64,
        max_levels: Option<usize>,
        construction: &Bound<'_, PyAny>,
        n_jobs: usize,
    ) -> PyResult<Self> {
        let construction: Construction = word(py, "construction", construction, "\"auto\", \"spectral\", \"recursion\"")?;
        let builder = DiffusionWavelets::new(precision).max_levels(max_levels).construction(construction);
        let inner = if let Ok(dense) = operator.extract::<PyReadonlyArray2<'_, f64>>() {
            let dense = matrix(py, &dense)?;
            run(py, n_jobs, false, move |progress| builder.build_with(OperatorRef::Dense(&dense), progress))?
        } else {
            let sparse = graph(operator)?;
            run(py, n_jobs, false, move |progress| builder.build_with(OperatorRef::Sparse(&sparse), progress))?
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Power k, dimension and error of each level, finest first.
    #[getter]
    fn levels(&self) -> Vec<(u32, usize, f64)> {
        self.inner.levels().iter().map(|l| (l.power, l.dimension, l.error)).collect()
    }
    #[getter]
    fn norm(&self) -> f64 {
        self.inner.norm()
    }
    #[getter]
    fn rescaled(&self) -> bool {
        self.inner.rescaled()
    }
    #[getter]
    fn construction(&self) -> String {
        serde_json::to_value(self.inner.construction()).ok().and_then(|v| v.as_str().map(str::to_string)).unwrap_or_default()
    }
    /// The scaling functions of a level in the original coordinates.
    fn basis<'py>(&self, py: Python<'py>, level: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let basis = self.inner.basis(level).map_err(|e| errors::library(py, &e))?;
        let (nrows, ncols) = (basis.nrows(), basis.ncols());
        array2(py, basis.into_vec(), nrows, ncols)
    }
    /// The same as arrays of a CSR matrix.
    fn sparse_basis<'py>(&self, py: Python<'py>, level: usize) -> PyResult<CsrArrays<'py>> {
        let inner = self.inner.clone();
        Ok(csr_arrays(py, &run(py, 0, false, move |_| inner.sparse_basis(level))?))
    }
    /// The scaling functions of a level in those of the level below.
    fn step<'py>(&self, py: Python<'py>, level: usize) -> PyResult<CsrArrays<'py>> {
        let inner = self.inner.clone();
        Ok(csr_arrays(py, &run(py, 0, false, move |_| inner.step(level))?))
    }
}
