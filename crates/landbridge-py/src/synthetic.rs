//! Datasets with known truth.

use crate::convert::{CsrArrays, array2, csr_arrays, repr};
use crate::errors;
use crate::fit::Params;
use crate::run::run;
use landbridge::data::Rows;
use landbridge::data::synthetic::{
    self, BilingualDocuments, BranchingTrees, Helices, LiftedCopies, Rolling, RotatedCopies, SmoothMap, SwissRolls, ThinChains,
};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};

/// Datasets with their known truth.
#[pyclass(frozen, module = "landbridge._landbridge")]
pub(crate) struct Synthetic {
    inner: synthetic::Synthetic,
}

/// Sets the options that are given, each by its name, on a builder; the others keep the defaults of the library.
macro_rules! options {
    ($builder:ident, $params:ident, { $($name:ident: $read:expr),* $(,)? }) => {
        $(if $params.given(stringify!($name))?.is_some() { $builder = $builder.$name($read(stringify!($name))?); })*
    };
}

#[pymethods]
impl Synthetic {
    /// Generates datasets of that kind; options left out keep the defaults of the library.
    #[staticmethod]
    fn generate(py: Python<'_>, kind: &str, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let params = &Params(options);
        let number = |name: &str| params.number(name);
        let count = |name: &str| params.count::<usize>(name);
        let flag = |name: &str| params.flag(name);
        let seed = |name: &str| params.count::<u64>(name);
        let n = count("n")?;
        macro_rules! generate {
            ($builder:expr, { $($name:ident: $read:expr),* $(,)? }) => {{
                let mut builder = $builder;
                options!(builder, params, { $($name: $read,)* overlap: number, shuffle: flag, random_state: seed });
                run(py, 0, false, move |_| builder.generate())
            }};
        }
        let inner = match kind {
            "swiss_rolls" => {
                let rolling = |name: &str| match several::<String>(params, name)?.as_str() {
                    "swiss" => Ok(Rolling::Swiss),
                    "s_curve" => Ok(Rolling::SCurve),
                    "flat" => Ok(Rolling::Flat),
                    other => Err(errors::parameter(py, name, other, "one of \"swiss\", \"s_curve\", \"flat\"")),
                };
                generate!(SwissRolls::new(n), { second: rolling, width: number, scale: number, noise: number })
            }
            "helices" => {
                let two = |name: &str| several::<[f64; 2]>(params, name);
                let features = |name: &str| several::<[usize; 2]>(params, name);
                generate!(Helices::new(n), { radius: two, pitch: two, turns: two, features: features, noise: number })
            }
            "thin_chains" => generate!(ThinChains::new(n), { width: number, noise: number }),
            "branching_trees" => {
                let features = |name: &str| several::<[usize; 2]>(params, name);
                generate!(BranchingTrees::new(n), { splits: count, features: features, thickness: number, noise: number })
            }
            "rotated_copies" => generate!(RotatedCopies::new(n), {
                n_features: count, n_datasets: count, scale: number, translation: number, noise: number
            }),
            "lifted_copies" => {
                let features = |name: &str| several::<Vec<usize>>(params, name);
                let map = |name: &str| match several::<String>(params, name)?.as_str() {
                    "tanh" => Ok(SmoothMap::Tanh),
                    "fourier" => Ok(SmoothMap::Fourier),
                    other => Err(errors::parameter(py, name, other, "one of \"tanh\", \"fourier\"")),
                };
                generate!(LiftedCopies::new(n), {
                    intrinsic: count, clusters: count, spread: number, features: features, map: map, roughness: number,
                    noise: number
                })
            }
            "bilingual_documents" => {
                let vocabulary = |name: &str| several::<[usize; 2]>(params, name);
                let mut builder = BilingualDocuments::new(n);
                if params.given("languages")?.is_some() {
                    let [first, second] = several::<[String; 2]>(params, "languages")?;
                    builder = builder.languages([&first, &second]);
                }
                generate!(builder, {
                    topics: count, vocabulary: vocabulary, length: number, concentration: number, specificity: number,
                    zipf: number, prevalence: number
                })
            }
            other => return Err(errors::parameter(py, "kind", other, "a generator of landbridge.datasets")),
        }?;
        Ok(Self { inner })
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.inner.datasets.iter().map(|d| d.name().to_string()).collect()
    }
    /// The rows of a dataset: an array, or the arrays and the width of a CSR matrix.
    fn rows<'py>(&self, py: Python<'py>, position: usize) -> PyResult<Bound<'py, PyAny>> {
        let dataset = &self.inner.datasets[position];
        let (nrows, ncols) = (dataset.nrows(), dataset.ncols());
        Ok(match dataset.rows() {
            Rows::F64(m) => array2(py, m.as_slice().to_vec(), nrows, ncols)?.into_any(),
            Rows::F32(m) => array2(py, m.as_slice().to_vec(), nrows, ncols)?.into_any(),
            Rows::Sparse(m) => {
                let arrays: CsrArrays<'py> = csr_arrays(py, m);
                (arrays.0, arrays.1, arrays.2, ncols).into_pyobject(py)?.into_any()
            }
        })
    }
    fn labels(&self, position: usize) -> Option<Vec<String>> {
        self.inner.datasets[position].labels().map(<[_]>::to_vec)
    }
    fn columns(&self, position: usize) -> Option<Vec<String>> {
        self.inner.datasets[position].columns().map(<[_]>::to_vec)
    }
    #[getter]
    fn truth<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        array2(py, self.inner.truth.concat(), self.inner.truth.len(), self.inner.datasets.len())
    }
    #[getter]
    fn latent<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let latent = &self.inner.latent;
        array2(py, latent.as_slice().to_vec(), latent.nrows(), latent.ncols())
    }
    /// Some of the known pairs, as a table.
    fn pairs<'py>(&self, py: Python<'py>, count: usize, random_state: u64) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let pairs = self.inner.pairs(count, random_state).map_err(|e| errors::library(py, &e))?;
        let c = self.inner.datasets.len();
        // A row of c entries became c (c − 1) / 2 links; the first c − 1 of them start in dataset 0.
        let mut table = Vec::with_capacity(count * c);
        for line in pairs.links().chunks(c * (c - 1) / 2) {
            table.push(line[0].i as i64);
            table.extend(line[..c - 1].iter().map(|link| link.j as i64));
        }
        array2(py, table, count, c)
    }
    /// For each row of `source`, the true row of `target`.
    fn counterparts<'py>(&self, py: Python<'py>, source: usize, target: usize) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let c = self.inner.datasets.len();
        if source.max(target) >= c {
            let given = format!("({source}, {target})");
            return Err(errors::parameter(py, "source, target", given, &format!("positions below {c}")));
        }
        Ok(PyArray1::from_vec(py, self.inner.counterparts(source, target)))
    }
}

/// A value of that type.
fn several<'py, T: for<'a> FromPyObject<'a, 'py>>(params: &Params<'_, 'py>, name: &str) -> PyResult<T> {
    let value = params.given(name)?.unwrap_or_else(|| params.0.py().None().into_bound(params.0.py()));
    let expected = "one value per dataset, or a word, as the documentation says";
    value.extract().map_err(|_| errors::parameter(params.0.py(), name, repr(&value), expected))
}
