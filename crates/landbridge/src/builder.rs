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

/// Setters of a field `graph: GraphParams`.
macro_rules! graph_setters {
    () => {
        $crate::builder::setters! {
            /// Neighbours of each row.
            n_neighbors: usize => graph.n_neighbors;
            /// Distance between rows.
            metric: $crate::geometry::neighbors::Metric => graph.metric;
            /// Weight of an edge.
            weights: $crate::geometry::affinity::Weights => graph.weights;
            /// σ of the heat kernel; the mean neighbour distance when `None`.
            heat_width: Option<f64> => graph.heat_width;
            /// Exact or approximate neighbours.
            search: $crate::geometry::neighbors::Search => graph.search;
            /// Seed of everything random: approximate neighbours, start of the eigensolver.
            random_state: u64 => graph.random_state;
        }
        /// Given graphs instead of neighbours, one per dataset; symmetric, unless the method takes directed ones. Implies
        /// precomputed weights.
        #[must_use]
        pub fn graphs(mut self, graphs: Vec<$crate::linalg::Csr>) -> Self {
            self.graph.graphs = Some(graphs);
            self.graph.weights = $crate::geometry::affinity::Weights::Precomputed;
            self
        }
    };
}
pub(crate) use graph_setters;

/// Setters of a field `joint: JointWeights`.
macro_rules! joint_setters {
    () => {
        $crate::builder::setters! {
            /// Strength of the pairs.
            mu: f64 => joint.mu;
            /// Strength of the neighbours.
            nu: f64 => joint.nu;
            /// Count `mu` in units of (edge weight) / (pair weight); `false` is the papers' raw μ.
            balance: bool => joint.balance;
        }
    };
}
pub(crate) use joint_setters;

/// Setters of a field `base: Option<Arc<dyn Method>>`.
macro_rules! base_setters {
    () => {
        /// The method that is fitted.
        #[must_use]
        pub fn base(mut self, base: impl $crate::method::Method + 'static) -> Self {
            self.base = Some(std::sync::Arc::new(base));
            self
        }
        /// The method that is fitted, of any kind.
        #[must_use]
        pub fn boxed_base(mut self, base: Option<Box<dyn $crate::method::Method>>) -> Self {
            self.base = base.map(std::sync::Arc::from);
            self
        }
    };
}
pub(crate) use base_setters;
