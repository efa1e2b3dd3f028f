//! Refusals of parameters, in the words of the library.

use landbridge::{Error, Result};

/// The error of a parameter outside its range.
pub(crate) fn refused(name: &str, value: impl ToString, expected: impl Into<String>) -> Error {
    Error::BadParameter { name: name.into(), value: value.to_string(), expected: expected.into() }
}

/// Refuses counts below `least` and above `most`.
pub(crate) fn count(name: &str, value: usize, least: usize, most: usize) -> Result<()> {
    match (least..=most).contains(&value) {
        true => Ok(()),
        false if most == usize::MAX => Err(refused(name, value, format!("at least {least}"))),
        false => Err(refused(name, value, format!("between {least} and {most}"))),
    }
}

/// Refuses what is not above 0, and what is out of all proportion.
pub(crate) fn above_zero(name: &str, value: f64) -> Result<()> {
    if value > 0.0 && value <= 1e100 { Ok(()) } else { Err(refused(name, value, "above 0 and at most 1e100")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_value_and_the_range() {
        let said = |outcome: Result<()>| outcome.unwrap_err().to_string();
        assert_eq!(said(count("episodes", 0, 1, 9)), "episodes is 0; it must be between 1 and 9");
        assert_eq!(said(count("count", 0, 1, usize::MAX)), "count is 0; it must be at least 1");
        assert_eq!(said(above_zero("mass", f64::NAN)), "mass is NaN; it must be above 0 and at most 1e100");
        assert!(above_zero("mass", f64::INFINITY).is_err() && above_zero("mass", 0.0).is_err());
        assert!(count("episodes", 9, 1, 9).is_ok() && above_zero("mass", 1e100).is_ok());
    }
}
