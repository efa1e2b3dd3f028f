//! Support: whether a dataset has rows in the region of a row of another dataset.

use crate::apply::own_coordinates::own_coordinates;
use crate::error::Result;
use crate::geometry::neighbors::{Metric, neighbors_among};
use crate::model::{Alignment, DatasetRef};
use crate::progress::{Progress, with_threads};

/// Target rows that each source row chooses.
const CHOSEN: usize = 10;
/// Rows of the target that share what they are chosen.
const REGION: usize = 30;

impl Alignment {
    /// How often rows of `source` choose the region of each row of `target`, in units of an even share: about 1 where both
    /// have as many rows, about 0 where the source has none.
    ///
    /// Each source row chooses its 10 nearest target rows in the joint space. A cell type that the source lacks is chosen by
    /// nobody, wherever its rows lie. The choices are averaged over the 30 nearest rows of the target itself, in its own
    /// features as far as the map sees them (in the joint space, where a method has no map of the features).
    pub fn support<'a, 'b>(
        &self,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
        metric: Option<Metric>,
    ) -> Result<Vec<f64>> {
        self.check_fitted_rows("support")?;
        let (s, t) = (self.position(source)?, self.position(target)?);
        let metric = metric.unwrap_or(self.default_metric());
        let (from, to) = (self.embedding(s), self.embedding(t));
        let (n, m) = (from.nrows(), to.nrows());
        let (chosen, region) = (CHOSEN.min(m), REGION.min(m));
        let silent = Progress::silent();
        with_threads(0, || {
            let mut share = vec![0.0; m];
            let even = m as f64 / (n * chosen) as f64;
            neighbors_among(from, to, chosen, metric, &silent)?.indices.iter().for_each(|&j| share[j as usize] += even);
            let nearby = match own_coordinates(self, t) {
                Ok(own) => neighbors_among(&own, &own, region, Metric::Euclidean, &silent)?,
                Err(_) => neighbors_among(to, to, region, metric, &silent)?,
            };
            Ok((0..m).map(|j| nearby.row(j).map(|(i, _)| share[i as usize]).sum::<f64>() / region as f64).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::data::synthetic::RotatedCopies;
    use crate::data::{Dataset, Pairs};
    use crate::linalg::Matrix;
    use crate::method::Cca;

    #[test]
    fn a_cluster_that_the_other_side_lacks_has_no_support() {
        // Three clusters far apart; the first dataset lacks the last one.
        let copies = RotatedCopies::new(300).n_features(6).noise(0.01).generate().unwrap();
        let place = |rows: &crate::data::Rows, truth: &dyn Fn(usize) -> usize, count: usize| {
            let mut row = vec![0.0; 6];
            let mut values = vec![];
            for i in 0..count {
                rows.copy_row(i, &mut row);
                row.iter_mut().enumerate().for_each(|(c, v)| *v = 0.05 * *v + if truth(i) / 100 == c { 3.0 } else { 0.0 });
                values.extend_from_slice(&row);
            }
            Matrix::from_vec(values, count, 6).unwrap()
        };
        let back: Vec<usize> = copies.counterparts(1, 0).iter().map(|j| *j as usize).collect();
        let x = place(copies.datasets[0].rows(), &|i| i, 200);
        let y = place(copies.datasets[1].rows(), &|j| back[j], 300);
        let mut pairs = Pairs::none(2);
        (0..300).filter(|&j| back[j] < 200 && back[j].is_multiple_of(2)).for_each(|j| pairs.add(0, back[j], 1, j, 1.0).unwrap());
        let data = [Dataset::new("x", x).unwrap(), Dataset::new("y", y).unwrap()];
        let a = Cca::new(4).fit(&data, &pairs).unwrap();
        let found = a.support(0, 1, None).unwrap();
        let mean = |cluster: usize| (0..300).filter(|&j| back[j] / 100 == cluster).map(|j| found[j]).sum::<f64>() / 100.0;
        assert!(mean(0) > 0.8 && mean(1) > 0.8 && mean(2) < 0.1, "{} {} {}", mean(0), mean(1), mean(2));
        let all: f64 = found.iter().sum::<f64>() / 300.0;
        assert!((0.5..1.6).contains(&all), "{all}");
        let labels: Vec<String> = (0..200).map(|i| format!("type {}", i / 100)).collect();
        let told = a.transfer_labels_with(Some(&labels), 0, 1, 5, None, 0.0, 0.33).unwrap();
        let unknown = (0..300).filter(|&j| back[j] >= 200 && told[j].label.is_none()).count();
        let doubted = (0..300).filter(|&j| back[j] < 200 && told[j].label.is_none()).count();
        assert!(unknown >= 95 && doubted <= 10, "{unknown} {doubted}");
        assert!(a.transfer_labels_with(Some(&labels), 0, 1, 5, None, 0.0, -1.0).is_err());
    }
}
