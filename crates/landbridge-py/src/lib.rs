//! The Python binding: convert, release the GIL, call, convert back. No arithmetic.
//!
//! Inputs are copied into Rust before the GIL is released, so an array that another thread changes during a fit has no
//! effect on it. Computations run on a separate thread (`run`); the calling thread waits without the GIL and checks for
//! Ctrl-C.
//!
//! The Python side of it is `python/landbridge/`; `_landbridge.pyi` states the types.

mod apply;
mod choose;
mod control;
mod convert;
mod embed;
mod errors;
mod files;
mod fit;
mod functions;
mod model;
mod picture;
mod regression;
mod report;
mod run;
mod solve;
mod statistics;
mod synthetic;
mod wavelets;

use pyo3::prelude::*;

#[global_allocator]
static MEMORY: landbridge_alloc::LargePages = landbridge_alloc::LargePages;

/// The compiled part of landbridge.
#[pymodule]
mod _landbridge {
    #[pymodule_export]
    use super::apply::{evaluate, match_confidence, transfer_labels, with_places, without_rows};
    #[pymodule_export]
    use super::choose::{align, bridge, compare, plan, set_max_memory, tune};
    #[pymodule_export]
    use super::control::{Sensor, policy_iteration, policy_steps, random_walks, spread, task_facts};
    #[pymodule_export]
    use super::convert::Dataset;
    #[pymodule_export]
    use super::embed::{embed, geodesic_distances, graph_distances};
    #[pymodule_export]
    use super::files::{
        columns_like, columns_of_ratings, modalities, names_ids, note_of_new, note_of_table, read_file, read_pairs, row_numbers,
        shared_ids, write_picture, write_text,
    };
    #[pymodule_export]
    use super::fit::{check_pairs, declarations, fit, params_in_file, trust, votes};
    #[pymodule_export]
    use super::functions::{
        batch_mixing, foscttm, infer_pairs, joint_distances, knn, label_transfer, match_rows, min_plus, mmae, panic_for_tests,
        pattern_distances, perturbation_bound, recall_at_k, similarity_graph, subspace_distance, topic_tree, transport_pairs,
    };
    #[pymodule_export]
    use super::model::{Model, load};
    #[pymodule_export]
    use super::picture::plot;
    #[pymodule_export]
    use super::regression::{fit_path, held_out_path, line_chart, regress, total_variation};
    #[pymodule_export]
    use super::report::{report, summary_html};
    #[pymodule_export]
    use super::solve::{entropic_gw, mvu};
    #[pymodule_export]
    use super::statistics::Statistics;
    #[pymodule_export]
    use super::synthetic::Synthetic;
    #[pymodule_export]
    use super::wavelets::Wavelets;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // A wrong `LANDBRIDGE_CPU` is told before anything is computed.
        landbridge::linalg::cpu_level().map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
