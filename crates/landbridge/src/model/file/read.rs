//! Reading a model from the tensors of its file.

use super::*;

/// Reads the parts of a model, and refuses what does not fit together.
pub(super) struct Reader<'a> {
    pub(super) path: &'a Path,
    pub(super) file: SafeTensors<'a>,
}

impl Reader<'_> {
    pub(super) fn damaged(&self, why: String) -> Error {
        Error::ModelDamaged { path: self.path.into(), why }
    }
    fn tensor(&self, name: &str, dtype: Dtype, dimensions: usize) -> Result<TensorView<'_>> {
        let tensor = self.file.tensor(name).map_err(|_| self.damaged(format!("\"{name}\" is missing")))?;
        if tensor.dtype() != dtype || tensor.shape().len() != dimensions {
            return Err(self.damaged(format!("\"{name}\" has the wrong kind or shape")));
        }
        Ok(tensor)
    }
    fn values<T, const N: usize>(
        &self,
        name: &str,
        dtype: Dtype,
        dimensions: usize,
        from: fn([u8; N]) -> T,
    ) -> Result<(Vec<T>, Vec<usize>)> {
        let tensor = self.tensor(name, dtype, dimensions)?;
        let (chunks, _) = tensor.data().as_chunks::<N>();
        Ok((chunks.iter().map(|c| from(*c)).collect(), tensor.shape().to_vec()))
    }
    fn floats(&self, name: &str) -> Result<Vec<f64>> {
        let (values, _) = self.values(name, Dtype::F64, 1, f64::from_le_bytes)?;
        self.finite(name, values)
    }
    fn finite<T: Scalar>(&self, name: &str, values: Vec<T>) -> Result<Vec<T>> {
        if values.iter().all(|v| v.to_f64().is_finite()) {
            return Ok(values);
        }
        Err(self.damaged(format!("\"{name}\" holds a value that is not finite")))
    }
    fn matrix<T: Scalar, const N: usize>(&self, name: &str, dtype: Dtype, from: fn([u8; N]) -> T) -> Result<Matrix<T>> {
        let (values, shape) = self.values(name, dtype, 2, from)?;
        Matrix::from_vec(self.finite(name, values)?, shape[0], shape[1])
    }
    fn json<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        if self.file.tensor(name).is_err() {
            return Ok(None);
        }
        let tensor = self.tensor(name, Dtype::U8, 1)?;
        serde_json::from_slice(tensor.data()).map(Some).map_err(|e| self.damaged(format!("\"{name}\": {e}")))
    }
    fn strings(&self, name: &str, count: usize) -> Result<Option<Vec<String>>> {
        let values: Option<Vec<String>> = self.json(name)?;
        match values {
            Some(values) if values.len() != count => {
                Err(self.damaged(format!("\"{name}\" has {} entries, not {count}", values.len())))
            }
            values => Ok(values),
        }
    }
    fn csr(&self, prefix: &str, columns: usize) -> Result<Csr> {
        let (starts, _) = self.values(&format!("{prefix}indptr"), Dtype::U64, 1, u64::from_le_bytes)?;
        let (indices, _) = self.values(&format!("{prefix}indices"), Dtype::U32, 1, u32::from_le_bytes)?;
        let starts = starts.into_iter().map(|v| v as usize).collect();
        Csr::new(starts, indices, self.floats(&format!("{prefix}values"))?, columns)
    }
    fn rows(&self, a: usize, kind: RowsKind, n_features: usize) -> Result<Rows> {
        Ok(match kind {
            RowsKind::F64 => Rows::F64(self.matrix(&format!("{a}/rows"), Dtype::F64, f64::from_le_bytes)?),
            RowsKind::F32 => Rows::F32(self.matrix(&format!("{a}/rows"), Dtype::F32, f32::from_le_bytes)?),
            RowsKind::Sparse => Rows::Sparse(self.csr(&format!("{a}/"), n_features)?),
        })
    }

    fn misfit(&self, dataset: &str) -> Error {
        self.damaged(format!("the sizes of dataset \"{dataset}\" are inconsistent"))
    }
    /// A vector of this length, if there is one.
    fn vector(&self, name: &str, length: usize) -> Result<Option<Vec<f64>>> {
        if self.file.tensor(name).is_err() {
            return Ok(None);
        }
        let values = self.floats(name)?;
        let fits = values.len() == length;
        fits.then_some(Some(values)).ok_or_else(|| self.damaged(format!("\"{name}\" has the wrong length")))
    }
    fn preparation(&self, a: usize, prepare: Prepare, n_features: usize) -> Result<Preparation> {
        let vector = |what: &str| self.vector(&format!("{a}/{what}"), n_features);
        let total = self.vector(&format!("{a}/total"), 1)?.map(|t| t[0]);
        if prepare == Prepare::Auto || total.is_some_and(|t| !(t.is_finite() && t > 0.0)) {
            return Err(self.damaged("a preparation is inconsistent".into()));
        }
        Ok(Preparation { prepare, factors: vector("factors")?, mean: vector("mean")?, total })
    }

    /// The mapping of a dataset whose embedding has this many rows and columns.
    fn mapping(&self, a: usize, header: MappingHeader, name: &str, n_features: usize, (n, d): (usize, usize)) -> Result<Mapping> {
        let fits = |fits: bool| if fits { Ok(()) } else { Err(self.misfit(name)) };
        let kept_rows = |kind: RowsKind| -> Result<Arc<Rows>> {
            let rows = self.rows(a, kind, n_features)?;
            fits(rows.nrows() == n && rows.ncols() == n_features)?;
            Ok(Arc::new(rows))
        };
        Ok(match header {
            MappingHeader::None => Mapping::None,
            MappingHeader::Neighbors { kernel, rows } => {
                let rows = kept_rows(rows)?;
                let damping = self.floats(&format!("{a}/damping"))?;
                fits(damping.len() == d && kernel.n_neighbors > 0)?;
                let row_factors = self.vector(&format!("{a}/row_factors"), n)?;
                Mapping::Neighbors(NeighborExtension { rows, kernel, damping, row_factors })
            }
            MappingHeader::Linear { prepare, unit, batches: names } => {
                let weights: Matrix<f64> = self.matrix(&format!("{a}/map"), Dtype::F64, f64::from_le_bytes)?;
                fits(weights.nrows() == n_features && weights.ncols() == d)?;
                let component_weights = self.vector(&format!("{a}/component_weights"), d)?;
                let offset = self.vector(&format!("{a}/offset"), d)?;
                let preparation = self.preparation(a, prepare, n_features)?;
                let batches = match names.is_empty() {
                    true => None,
                    false => {
                        let offsets: Matrix<f64> = self.matrix(&format!("{a}/batch_offsets"), Dtype::F64, f64::from_le_bytes)?;
                        // Names are sought by bisection.
                        let ordered = names.windows(2).all(|w| w[0] < w[1]);
                        fits(offsets.nrows() == names.len() && offsets.ncols() == d && ordered)?;
                        Some(BatchOffsets { names, offsets })
                    }
                };
                Mapping::Linear(LinearMap { offset, unit, batches, ..LinearMap::new(preparation, weights, component_weights) })
            }
            MappingHeader::Sparse { prepare } => {
                let weights = self.csr(&format!("{a}/map/"), d)?;
                fits(weights.nrows() == n_features)?;
                Mapping::Sparse(SparseMap { preparation: self.preparation(a, prepare, n_features)?, weights })
            }
            MappingHeader::Prepared { prepare } => {
                fits(d == n_features)?;
                Mapping::Prepared(self.preparation(a, prepare, n_features)?)
            }
            MappingHeader::Similarity { rows } => {
                let rows = self.rows(a, rows, n_features)?;
                let mean = self.floats(&format!("{a}/mean"))?;
                fits(rows.ncols() == n_features && rows.nrows() == d && mean.len() == rows.nrows())?;
                Mapping::Similarity(Anchors { rows, mean })
            }
            MappingHeader::Geodesic { rows, n_neighbors, metric } => {
                let rows = kept_rows(rows)?;
                let lengths = self.csr(&format!("{a}/lengths/"), n)?;
                let (means, eigenvalues) = (self.floats(&format!("{a}/means"))?, self.floats(&format!("{a}/eigenvalues"))?);
                fits(lengths.nrows() == n && means.len() == n && eigenvalues.len() == d && n_neighbors > 0)?;
                fits(lengths.values().iter().all(|v| *v >= 0.0))?;
                Mapping::Geodesic(GeodesicExtension { rows, n_neighbors, metric, lengths, means, eigenvalues })
            }
            MappingHeader::Local { rows, n_neighbors, metric, ridge } => {
                let rows = kept_rows(rows)?;
                fits(n_neighbors > 0 && ridge.is_finite() && ridge > 0.0)?;
                let among = match self.file.tensor(&format!("{a}/among")) {
                    Err(_) => None,
                    Ok(_) => Some(self.values(&format!("{a}/among"), Dtype::U32, 1, u32::from_le_bytes)?.0),
                };
                fits(among.as_ref().is_none_or(|m| !m.is_empty() && m.iter().all(|i| (*i as usize) < n)))?;
                Mapping::Local(LocalExtension { rows, n_neighbors, metric, ridge, among })
            }
            MappingHeader::Votes => {
                let votes = self.floats(&format!("{a}/votes"))?;
                fits(votes.len() == n_features)?;
                Mapping::Votes(votes)
            }
            MappingHeader::Undefined { why } => Mapping::Undefined(why),
            MappingHeader::Triangulated { rows, prepare, n_neighbors, metric, first } => {
                let rows = kept_rows(rows)?;
                let preparation = self.preparation(a, prepare, n_features)?;
                let t = self.triangulation(a, (rows, preparation), (n_neighbors, metric, first), (n, d))?;
                Mapping::Triangulated(Box::new(t.ok_or_else(|| self.misfit(name))?))
            }
            MappingHeader::Moved { first } => {
                let coordinates: Matrix<f64> = self.matrix(&format!("{a}/coordinates"), Dtype::F64, f64::from_le_bytes)?;
                let matrix: Matrix<f64> = self.matrix(&format!("{a}/moved_by"), Dtype::F64, f64::from_le_bytes)?;
                let offset = self.floats(&format!("{a}/offset"))?;
                // One move after a placement: there is no deeper nesting.
                fits(!matches!(*first, MappingHeader::Moved { .. } | MappingHeader::Linear { .. } | MappingHeader::Votes))?;
                fits(coordinates.nrows() == n && coordinates.ncols() == matrix.nrows())?;
                fits(matrix.ncols() == d && offset.len() == d)?;
                let shape = (n, coordinates.ncols());
                let first = self.mapping(a, *first, name, n_features, shape)?;
                Mapping::Moved(Box::new(Moved { first, coordinates, by: Affine { matrix, offset } }))
            }
        })
    }

    /// `None` if the parts are inconsistent.
    fn triangulation(
        &self,
        a: usize,
        (rows, preparation): (Arc<Rows>, Preparation),
        (n_neighbors, metric, first): (Option<usize>, Metric, usize),
        (n, d): (usize, usize),
    ) -> Result<Option<Triangulation>> {
        let units = self.floats(&format!("{a}/units"))?;
        let numbers = |what: &str| self.values(&format!("{a}/{what}"), Dtype::U32, 1, u32::from_le_bytes).map(|v| v.0);
        let (own, bridges) = (numbers("landmarks")?, numbers("bridges")?);
        let beyond: Matrix<f64> = self.matrix(&format!("{a}/beyond"), Dtype::F64, f64::from_le_bytes)?;
        let matrix: Matrix<f64> = self.matrix(&format!("{a}/moved_by"), Dtype::F64, f64::from_le_bytes)?;
        let (means, offset) = (self.floats(&format!("{a}/means"))?, self.floats(&format!("{a}/offset"))?);
        let paths = match n_neighbors {
            None => None,
            Some(k) => Some((self.csr(&format!("{a}/lengths/"), n)?, k)),
        };
        let m = means.len();
        let sizes = units.len() == 2 && beyond.nrows() == bridges.len() && beyond.ncols() == m && matrix.nrows() == m;
        let rows_fit = own.iter().chain(&bridges).all(|&i| (i as usize) < n);
        let columns_fit = matrix.ncols() == d && offset.len() == d && first.checked_add(own.len()).is_some_and(|end| end <= m);
        let paths_fit = paths.as_ref().is_none_or(|(l, k)| l.nrows() == n && *k > 0 && l.values().iter().all(|v| *v >= 0.0));
        if !(sizes && rows_fit && columns_fit && paths_fit && units.iter().all(|u| *u > 0.0)) {
            return Ok(None);
        }
        let (scale, unit) = (units[0], units[1]);
        let t =
            Triangulation { rows, preparation, paths, metric, scale, unit, own, first, bridges, beyond, means, matrix, offset };
        Ok(Some(t))
    }

    fn paired_fit(&self, fitted: &[Fitted], pairs: usize) -> Result<Option<PairedFit>> {
        let Some(scales) = self.vector("fit/scales", fitted.len())? else { return Ok(None) };
        let Some(residuals) = self.vector("fit/residuals", pairs)? else {
            return Err(self.damaged("\"fit/residuals\" is missing".into()));
        };
        let (mut matrices, mut offsets) = (vec![], vec![]);
        for (a, dataset) in fitted.iter().enumerate() {
            let matrix: Matrix<f64> = self.matrix(&format!("fit/{a}/matrix"), Dtype::F64, f64::from_le_bytes)?;
            let offset = self.floats(&format!("fit/{a}/offset"))?;
            let d = dataset.embedding.ncols();
            if matrix.ncols() != d || offset.len() != d {
                return Err(self.misfit(&dataset.name));
            }
            matrices.push(matrix);
            offsets.push(offset);
        }
        Ok(Some(PairedFit { scales, matrices, offsets, residuals }))
    }

    fn sparse_fit(&self, datasets: usize) -> Result<Option<SparseFit>> {
        let mut vectors = vec![];
        for what in SPARSE_FIT {
            vectors.push(self.vector(&format!("sparse/{what}"), datasets)?);
        }
        if vectors.iter().all(Option::is_none) {
            return Ok(None);
        }
        let mut next = vectors
            .into_iter()
            .zip(SPARSE_FIT)
            .map(|(values, what)| values.ok_or_else(|| self.damaged(format!("\"sparse/{what}\" is missing"))));
        let mut take = || next.next().unwrap_or_else(|| Ok(vec![]));
        Ok(Some(SparseFit { alphas: take()?, betas: take()?, largest_alphas: take()?, gaps: take()?, objectives: take()? }))
    }

    fn hierarchy(&self, header: HierarchyHeader, fitted: &[Fitted]) -> Result<(Arc<Hierarchy>, usize)> {
        let HierarchyHeader { levels, basis_of, shown } = header;
        let fits = |fits: bool| if fits { Ok(()) } else { Err(self.damaged("its levels are inconsistent".into())) };
        fits(!levels.is_empty() && levels.len() == basis_of.len() && shown < levels.len())?;
        fits(levels[shown].dimension == fitted[0].embedding.ncols())?;
        let count = basis_of.iter().flatten().max().map_or(0, |b| b.saturating_add(1));
        fits(count <= levels.len())?;
        let read = |name: String| -> Result<Matrix<f64>> { self.matrix(&name, Dtype::F64, f64::from_le_bytes) };
        let bases = (0..count).map(|b| read(format!("levels/basis/{b}"))).collect::<Result<Vec<_>>>()?;
        let d = levels[0].dimension;
        for (level, basis) in levels.iter().zip(&basis_of) {
            let shape = basis.map_or((d, d), |b| (bases[b].nrows(), bases[b].ncols()));
            fits(shape == (d, level.dimension))?;
        }
        let mut finest = vec![];
        for (a, dataset) in fitted.iter().enumerate() {
            let embedding = read(format!("levels/{a}/embedding"))?;
            fits(embedding.nrows() == dataset.nrows() && embedding.ncols() == d)?;
            let map = match &dataset.mapping {
                Mapping::Linear(_) => Some(read(format!("levels/{a}/map"))?),
                _ => None,
            };
            fits(map.as_ref().is_none_or(|m| m.nrows() == dataset.n_features && m.ncols() == d))?;
            finest.push(Finest { embedding, map });
        }
        Ok((Arc::new(Hierarchy { levels, finest, bases, basis_of }), shown))
    }

    pub(super) fn alignment(&self, header: Header) -> Result<Alignment> {
        let eigenvalues = self.floats("eigenvalues")?;
        let mut fitted = vec![];
        for (a, dataset) in header.datasets.into_iter().enumerate() {
            let embedding: Matrix<f64> = self.matrix(&format!("{a}/embedding"), Dtype::F64, f64::from_le_bytes)?;
            let n = embedding.nrows();
            let mapping = self.mapping(a, dataset.mapping, &dataset.name, dataset.n_features, (n, embedding.ncols()))?;
            let sample = match self.file.tensor(&format!("{a}/sample")) {
                Err(_) => None,
                Ok(_) => Some(self.matrix(&format!("{a}/sample"), Dtype::F32, f32::from_le_bytes)?),
            };
            if sample.as_ref().is_some_and(|s: &Matrix<f32>| s.ncols() != dataset.n_features) {
                return Err(self.misfit(&dataset.name));
            }
            fitted.push(Fitted {
                sample,
                row_ids: self.strings(&format!("{a}/row_ids"), n)?,
                labels: self.strings(&format!("{a}/labels"), n)?,
                snippets: self.strings(&format!("{a}/snippets"), n)?,
                columns: self.strings(&format!("{a}/columns"), dataset.n_features)?,
                recipe: self.json(&format!("{a}/recipe"))?,
                known_means: self.vector(&format!("{a}/known_means"), dataset.n_features)?,
                name: dataset.name,
                n_features: dataset.n_features,
                embedding,
                mapping,
            });
        }
        if fitted.is_empty() || fitted.iter().any(|f| f.embedding.ncols() != fitted[0].embedding.ncols()) {
            return Err(self.damaged("its datasets do not share one space".into()));
        }
        let (ends, _) = self.values("pairs", Dtype::U64, 2, u64::from_le_bytes)?;
        let weights = self.floats("pair_weights")?;
        let (ends, _) = ends.as_chunks::<4>();
        if ends.len() != weights.len() {
            return Err(self.damaged("pairs and weights differ in number".into()));
        }
        let mut pairs = vec![];
        for (e, &weight) in ends.iter().zip(&weights) {
            let [a, i, b, j] = e.map(|v| v as usize);
            if a >= b || b >= fitted.len() || i >= fitted[a].nrows() || j >= fitted[b].nrows() {
                return Err(self.damaged("a pair names a row that does not exist".into()));
            }
            pairs.push(Link { a, i, b, j, weight });
        }
        let paired_fit = self.paired_fit(&fitted, pairs.len())?;
        let sparse_fit = self.sparse_fit(fitted.len())?;
        let hierarchy = header.hierarchy.map(|h| self.hierarchy(h, &fitted)).transpose()?;
        let Header { method, params, outcome, prediction, .. } = header;
        if prediction.as_ref().is_some_and(|p| p.check().is_err()) {
            return Err(self.damaged("its predictor has impossible parameters".into()));
        }
        let extras = match (paired_fit, sparse_fit, hierarchy, prediction) {
            (None, None, None, None) => Extras::None,
            (Some(fit), None, None, None) => Extras::Moved(fit),
            (None, Some(fit), None, None) => Extras::Sparse(fit),
            (None, None, Some((levels, shown)), None) => Extras::Levels(levels, shown),
            (None, None, None, Some(prediction)) => Extras::prediction(&prediction),
            _ => return Err(self.damaged("it has what only different methods have".into())),
        };
        Ok(Alignment {
            method,
            params,
            fitted,
            eigenvalues,
            pairs,
            outcome,
            extras,
            searches: crate::model::alignment::Searches::default(),
        })
    }
}
