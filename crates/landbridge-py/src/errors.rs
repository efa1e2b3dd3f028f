//! From errors of the library to exceptions, one class per kind (`landbridge._errors`).

use landbridge::Error;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;

/// The exception of that kind.
pub(crate) fn exception(py: Python<'_>, kind: &str, message: &str, hint: Option<String>) -> PyErr {
    if kind == "cancelled" {
        return PyKeyboardInterrupt::new_err(message.to_string());
    }
    let made = py
        .import("landbridge._errors")
        .and_then(|module| module.getattr("make"))
        .and_then(|make| make.call1((kind, message, hint)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        // The binary was imported without its package.
        Err(_) => PyRuntimeError::new_err(message.to_string()),
    }
}

/// An error of the library as an exception.
pub(crate) fn library(py: Python<'_>, error: &Error) -> PyErr {
    exception(py, error.kind(), &error.to_string(), error.hint())
}

/// An error of reading or writing as an exception.
pub(crate) fn io(py: Python<'_>, error: &landbridge_io::Error) -> PyErr {
    exception(py, error.kind(), &error.to_string(), error.hint())
}

/// A parameter that is not what it must be.
pub(crate) fn parameter(py: Python<'_>, name: &str, value: impl ToString, expected: &str) -> PyErr {
    library(py, &Error::BadParameter { name: name.into(), value: value.to_string(), expected: expected.into() })
}
