//! Datasets with known truth, seeded.
