//! What all builders share.

/// Setters of a builder: `name: kind => field;`.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $kind:ty => $($field:ident).+ ;)*) => {
        $($(#[$doc])* #[must_use] pub fn $name(mut self, $name: $kind) -> Self { self.$($field).+ = $name; self })*
    };
}
pub(crate) use setters;

/// `fit` and `fit_with` of a method whose `fit_steps` does the work on `n_jobs` threads.
macro_rules! fits {
    () => {
        /// Aligns the datasets by the known pairs.
        pub fn fit(
            &self,
            datasets: &[$crate::data::Dataset],
            pairs: &$crate::data::Pairs,
        ) -> $crate::error::Result<$crate::model::Alignment> {
            self.fit_with(datasets, pairs, &$crate::progress::Progress::silent())
        }
        /// As `fit`, telling of its progress.
        pub fn fit_with(
            &self,
            datasets: &[$crate::data::Dataset],
            pairs: &$crate::data::Pairs,
            progress: &$crate::progress::Progress,
        ) -> $crate::error::Result<$crate::model::Alignment> {
            $crate::progress::with_threads(self.n_jobs, || self.fit_steps(datasets, pairs, progress))
        }
    };
}
pub(crate) use fits;
