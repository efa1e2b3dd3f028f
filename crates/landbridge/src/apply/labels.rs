//! Label transfer: predicts labels for the rows of one dataset from those of another.

use crate::data::Rows;
use crate::error::{Error, Result};
use crate::evaluate::labels::elected;
use crate::geometry::neighbors::Metric;
use crate::linalg::Matrix;
use crate::model::{Alignment, DatasetRef};
use serde::Serialize;

/// The label of a row, and how many of its neighbours have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Predicted {
    /// The label; `None` if too few neighbours agree, or the source has too few rows there.
    pub label: Option<String>,
    /// The share of the neighbours that have the most frequent label.
    pub probability: f64,
}

impl Alignment {
    /// Labels of `source` for the fitted rows of `target`: the most frequent one among the `k` nearest rows of the source in the
    /// joint space, and the share of these that have it. Below `min_probability` a row is unknown. `labels`: those of the fitted
    /// rows of the source; `None` takes the labels in the model.
    pub fn transfer_labels<'a, 'b>(
        &self,
        labels: Option<&[String]>,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
        k: usize,
        metric: Option<Metric>,
        min_probability: f64,
    ) -> Result<Vec<Predicted>> {
        self.transfer_labels_with(labels, source, target, k, metric, min_probability, 0.0)
    }

    /// As [`Alignment::transfer_labels`]; below `min_support` (see [`Alignment::support`]) a row is unknown as well, because the
    /// source has no rows like it. A third suits cell types.
    pub fn transfer_labels_with<'a, 'b>(
        &self,
        labels: Option<&[String]>,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
        k: usize,
        metric: Option<Metric>,
        min_probability: f64,
        min_support: f64,
    ) -> Result<Vec<Predicted>> {
        self.check_fitted_rows("transfer of labels")?;
        let (s, t) = (self.position(source)?, self.position(target)?);
        if !(min_support.is_finite() && min_support >= 0.0) {
            return Err(Error::parameter("min_support", min_support, "0 or more"));
        }
        let support = if min_support > 0.0 { Some(self.support(s, t, metric)?) } else { None };
        let mut found = self.labels_of_places(&self.fitted[t].embedding, labels, s, k, metric, min_probability)?;
        if let Some(support) = support {
            found.iter_mut().zip(support).filter(|(_, s)| *s < min_support).for_each(|(p, _)| p.label = None);
        }
        Ok(found)
    }

    /// As [`Alignment::transfer_labels`], for new rows of `target`.
    pub fn transfer_labels_to<'a, 'b>(
        &self,
        rows: &Rows,
        labels: Option<&[String]>,
        source: impl Into<DatasetRef<'a>>,
        target: impl Into<DatasetRef<'b>>,
        k: usize,
        metric: Option<Metric>,
        min_probability: f64,
    ) -> Result<Vec<Predicted>> {
        self.check_fitted_rows("transfer of labels")?;
        let (s, t) = (self.position(source)?, self.position(target)?);
        self.labels_of_places(&self.transform(rows, t)?, labels, s, k, metric, min_probability)
    }

    /// Labels for places in the joint space.
    fn labels_of_places(
        &self,
        places: &Matrix<f64>,
        labels: Option<&[String]>,
        source: usize,
        k: usize,
        metric: Option<Metric>,
        min_probability: f64,
    ) -> Result<Vec<Predicted>> {
        let from = &self.fitted[source];
        let Some(labels) = labels.or(from.labels()) else {
            let why =
                format!("dataset \"{}\" has no labels; name the label column when it is read, or give the labels", from.name());
            return Err(Error::Undefined { what: "transfer of labels".into(), why });
        };
        if labels.len() != from.nrows() {
            let (expected, got) = (from.nrows().to_string(), labels.len().to_string());
            return Err(Error::Shape { what: format!("labels of dataset \"{}\"", from.name()), expected, got });
        }
        if k == 0 || k > from.nrows() {
            return Err(Error::parameter(
                "k",
                k,
                &format!("between 1 and {}, the rows of dataset \"{}\"", from.nrows(), from.name()),
            ));
        }
        if !(0.0..=1.0).contains(&min_probability) {
            return Err(Error::parameter("min_probability", min_probability, "between 0 and 1"));
        }
        let metric = metric.unwrap_or(self.default_metric());
        let told = |(winner, share): (usize, f64)| Predicted {
            label: (share >= min_probability).then(|| labels[winner].clone()),
            probability: share,
        };
        Ok(elected(from.embedding(), labels, places, k, metric)?.into_iter().map(told).collect())
    }
}

#[cfg(test)]
mod tests {

    use crate::data::synthetic::SwissRolls;
    use crate::method::InstanceAlignment;

    #[test]
    fn labels_travel_and_doubtful_rows_stay_unknown() {
        let rolls = SwissRolls::new(200).generate().unwrap();
        let a = InstanceAlignment::new(3).fit(&rolls.datasets, &rolls.pairs(60, 0).unwrap()).unwrap();
        let labels: Vec<String> = (0..200).map(|i| if i % 2 == 0 { "even".into() } else { "odd".into() }).collect();
        let all = a.transfer_labels(Some(&labels), 0, 1, 5, None, 0.0).unwrap();
        assert!(all.iter().all(|p| p.label.is_some() && p.probability >= 0.6 - 1e-12));
        let sure = a.transfer_labels(Some(&labels), 0, 1, 5, None, 0.9).unwrap();
        assert!(sure.iter().zip(&all).all(|(s, p)| s.label.is_some() == (p.probability >= 0.9)));
        assert!(sure.iter().any(|p| p.label.is_none()));
        assert!(a.transfer_labels(Some(&labels[..3]), 0, 1, 5, None, 0.0).unwrap_err().to_string().contains("labels of dataset"));
        assert!(a.transfer_labels(Some(&labels), 0, 1, 0, None, 0.0).is_err());
        assert!(a.transfer_labels(Some(&labels), 0, 1, 5, None, 2.0).is_err());
    }
}
