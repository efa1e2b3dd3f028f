//! CPU dispatch: one safe loop, compiled for several instruction sets, and which of them may be used.
#![allow(unsafe_code)]

use crate::error::{Error, Result};
use std::sync::OnceLock;

/// The environment variable that limits the instruction sets.
const VARIABLE: &str = "LANDBRIDGE_CPU";

/// The instruction sets that landbridge has kernels for, each wider than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CpuLevel {
    /// What every processor of the kind has.
    Scalar,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 (F and BW) besides.
    Avx512,
}

impl CpuLevel {
    /// All levels, the narrowest first.
    pub const ALL: [CpuLevel; 3] = [CpuLevel::Scalar, CpuLevel::Avx2, CpuLevel::Avx512];

    /// The word for it in `LANDBRIDGE_CPU`.
    pub fn name(self) -> &'static str {
        match self {
            CpuLevel::Scalar => "scalar",
            CpuLevel::Avx2 => "avx2",
            CpuLevel::Avx512 => "avx512",
        }
    }
    /// Whether this processor has it.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            let wide = || is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            match self {
                CpuLevel::Scalar => true,
                CpuLevel::Avx2 => wide(),
                CpuLevel::Avx512 => wide() && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"),
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            self == CpuLevel::Scalar
        }
    }
}

/// The widest instruction set that landbridge's own kernels use: the widest of this processor, or the one that the environment variable
/// `LANDBRIDGE_CPU` names (`scalar`, `avx2` or `avx512`). The variable is read once. A word that is not a level, or a level that this
/// processor does not have, is an error, here and in every fit.
pub fn cpu_level() -> Result<CpuLevel> {
    match chosen() {
        Ok(level) => Ok(*level),
        Err(value) => {
            let words: Vec<&str> = CpuLevel::ALL.iter().filter(|l| l.is_available()).map(|l| l.name()).collect();
            let known = CpuLevel::ALL.iter().any(|l| l.name() == value);
            Err(Error::BadParameter {
                name: VARIABLE.into(),
                value: format!("\"{value}\""),
                expected: match known {
                    true => format!("an instruction set of this processor ({})", words.join(", ")),
                    false => "scalar, avx2 or avx512".into(),
                },
            })
        }
    }
}

/// The level, or the word that is not one.
fn chosen() -> &'static std::result::Result<CpuLevel, String> {
    static CHOSEN: OnceLock<std::result::Result<CpuLevel, String>> = OnceLock::new();
    CHOSEN.get_or_init(|| level_of(std::env::var_os(VARIABLE).map(|value| value.to_string_lossy().into_owned()).as_deref()))
}

fn level_of(word: Option<&str>) -> std::result::Result<CpuLevel, String> {
    let available = || CpuLevel::ALL.into_iter().filter(|level| level.is_available());
    match word {
        // An empty variable is one that was taken back.
        None | Some("") => Ok(available().next_back().unwrap_or(CpuLevel::Scalar)),
        Some(word) => available().find(|level| level.name() == word).ok_or_else(|| word.to_string()),
    }
}

/// Whether the environment allows kernels of this level. They still ask the processor for each feature.
#[inline]
pub(crate) fn allowed(level: CpuLevel) -> bool {
    // A variable that is not understood is told by `cpu_level`, and limits nothing.
    chosen().as_ref().map_or(true, |most| level <= *most)
}

/// Whether kernels of a level may run that need these features: `has!(Avx512: "avx512f", "avx512bw")`.
#[cfg(target_arch = "x86_64")]
macro_rules! has {
    ($level:ident: $($feature:tt),+) => {
        $crate::linalg::dispatch::allowed($crate::linalg::dispatch::CpuLevel::$level) && $(is_x86_feature_detected!($feature))&&+
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use has;

/// `fn name(arguments) -> result = loop;` calls the `#[inline(always)]` loop compiled for the first of the feature lists that
/// the CPU has, and otherwise the portable loop. `= loop, plain;` falls back to `plain` instead, for loops that use
/// instructions (such as FMA) whose emulation would be slow. Of two lists the first is for AVX-512.
macro_rules! widest {
    (
        [$($wider:tt),+], [$($wide:tt),+];
        $(#[$doc:meta])*
        $access:vis fn $name:ident($($argument:ident: $kind:ty),* $(,)?) $(-> $result:ty)? = $run:ident;
    ) => {
        $crate::linalg::dispatch::widest! {
            [$($wider),+], [$($wide),+];
            $(#[$doc])*
            $access fn $name($($argument: $kind),*) $(-> $result)? = $run, $run;
        }
    };
    (
        [$($wider:tt),+], [$($wide:tt),+];
        $(#[$doc:meta])*
        $access:vis fn $name:ident($($argument:ident: $kind:ty),* $(,)?) $(-> $result:ty)? = $run:path, $plain:path;
    ) => {
        $(#[$doc])*
        $access fn $name($($argument: $kind),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature($(enable = $wider),+)]
                fn wider($($argument: $kind),*) $(-> $result)? {
                    $run($($argument),*)
                }
                if $crate::linalg::dispatch::has!(Avx512: $($wider),+) {
                    // SAFETY: the CPU has these features.
                    return unsafe { wider($($argument),*) };
                }
            }
            $crate::linalg::dispatch::widest! {
                [$($wide),+];
                #[inline(always)]
                fn narrower($($argument: $kind),*) $(-> $result)? = $run, $plain;
            }
            narrower($($argument),*)
        }
    };
    (
        [$($wide:tt),+];
        $(#[$doc:meta])*
        $access:vis fn $name:ident $(<const $size:ident>)? ($($argument:ident: $kind:ty),* $(,)?) $(-> $result:ty)?
            = $run:path, $plain:path;
    ) => {
        $(#[$doc])*
        $access fn $name $(<const $size: usize>)? ($($argument: $kind),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature($(enable = $wide),+)]
                fn wide $(<const $size: usize>)? ($($argument: $kind),*) $(-> $result)? {
                    $run($($argument),*)
                }
                if $crate::linalg::dispatch::has!(Avx2: $($wide),+) {
                    // SAFETY: the CPU has these features.
                    return unsafe { wide($($argument),*) };
                }
            }
            $plain($($argument),*)
        }
    };
}
pub(crate) use widest;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_word_that_the_processor_has() {
        let widest = CpuLevel::ALL.into_iter().rev().find(|l| l.is_available()).unwrap();
        assert_eq!(level_of(None), Ok(widest));
        assert_eq!(level_of(Some("")), Ok(widest));
        for level in CpuLevel::ALL {
            let expected = if level.is_available() { Ok(level) } else { Err(level.name().to_string()) };
            assert_eq!(level_of(Some(level.name())), expected);
        }
        for word in ["sse2", "AVX2", "avx2 ", "512"] {
            assert_eq!(level_of(Some(word)), Err(word.to_string()));
        }
    }
}
