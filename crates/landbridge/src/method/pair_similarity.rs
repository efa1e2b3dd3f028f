//! Similarity to the training pairs. A row is described by its similarity to each paired row of its own dataset. Paired rows
//! correspond, so the descriptions of two datasets are comparable. A baseline without a map.

use crate::data::offsets;
use crate::data::{Dataset, Pairs};
use crate::error::{Error, Result};
use crate::method::method;
use crate::model::{Alignment, Anchors, Fitted, Mapping};
use crate::outcome::{Outcome, Warning};
use crate::params::{Threads, threads_setters};
use crate::run::Run;
use landbridge_derive::Params;

/// Describes each row by its cosine similarity to the paired rows of its own dataset: a baseline without a map.
///
/// The joint space has one dimension per group of corresponding rows with a row in every dataset (the first row, if there are
/// several). The coordinates are centred by the mean over all rows of the dataset.
///
/// ```
/// use landbridge::data::synthetic::BilingualDocuments;
/// use landbridge::method::PairSimilarity;
/// let documents = BilingualDocuments::new(100).generate()?;
/// let alignment = PairSimilarity::new().fit(&documents.datasets, &documents.pairs(50, 0)?)?;
/// assert_eq!(alignment.n_components(), 50);
/// # Ok::<(), landbridge::Error>(())
/// ```
///
/// # Python
/// ```python
/// >>> import landbridge as lb
/// >>> documents = lb.datasets.bilingual_documents(200)
/// >>> a = lb.PairSimilarity().fit(documents.datasets, documents.pairs(100))
/// >>> a.embeddings_[0].shape
/// (200, 100)
/// ```
#[derive(Clone, Debug, PartialEq, Params)]
#[params(
    name = "pair_similarity",
    class = "PairSimilarity",
    family = "places",
    paper = "baseline",
    choose = "you want a baseline without a model"
)]
pub struct PairSimilarity {
    #[group]
    threads: Threads,
}

method!(PairSimilarity);

impl PairSimilarity {
    fn fit_steps(&self, datasets: &[Dataset], pairs: &Pairs, run: &mut Run<'_>) -> Result<Alignment> {
        pairs.check_for(datasets, "similarity to the pairs")?;
        let starts = offsets(datasets.iter().map(Dataset::nrows));
        let (group, count) = pairs.groups(&starts);
        let mut members = vec![vec![usize::MAX; datasets.len()]; count];
        for a in 0..datasets.len() {
            for i in 0..datasets[a].nrows() {
                let member = &mut members[group[starts[a] + i] as usize][a];
                *member = (*member).min(i);
            }
        }
        let present = |m: &[usize]| m.iter().filter(|i| **i != usize::MAX).count();
        let partial = members.iter().filter(|m| present(m) > 1 && present(m) < datasets.len()).count();
        if partial > 0 {
            run.warn(Warning::PartialPairs { count: partial });
        }
        let whole: Vec<&Vec<usize>> = members.iter().filter(|m| present(m) == datasets.len()).collect();
        if whole.is_empty() {
            return Err(Error::NoPairs { method: "similarity to the pairs (a pair must have a row in every dataset)".into() });
        }
        let mut fitted = vec![];
        for (a, dataset) in datasets.iter().enumerate() {
            run.progress.step("similarities", a, datasets.len())?;
            let rows: Vec<usize> = whole.iter().map(|m| m[a]).collect();
            let (anchors, embedding) = Anchors::fit(dataset.rows().select(&rows), dataset.rows());
            fitted.push(Fitted::new(dataset, embedding, Mapping::Similarity(anchors)));
        }
        run.lap("similarities");
        Ok(Alignment::of(fitted, vec![], Outcome::direct("none")))
    }
}
