//! Parameters: declared once, beside the method.

use crate::error::{Error, Result};

pub(crate) fn check_positive(name: &str, value: f64) -> Result<()> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(Error::parameter(name, value, "a positive finite number")) }
}

pub(crate) fn check_components(n_components: usize) -> Result<()> {
    if n_components == 0 { Err(Error::parameter("n_components", 0, "at least 1")) } else { Ok(()) }
}

pub(crate) fn check_ridge(ridge: Option<f64>) -> Result<()> {
    match ridge {
        Some(r) if !(r.is_finite() && r >= 0.0) => Err(Error::parameter("ridge", r, "zero or a positive finite number")),
        _ => Ok(()),
    }
}
