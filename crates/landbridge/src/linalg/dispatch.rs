//! CPU dispatch: one safe loop, compiled for several instruction sets.
#![allow(unsafe_code)]

/// `fn name(arguments) -> result = loop;` calls the `#[inline(always)]` loop compiled for the first of two feature lists that
/// the CPU has, and otherwise the portable loop. `= loop, plain;` falls back to `plain` instead, for loops that use
/// instructions (such as FMA) whose emulation would be slow.
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
                #[target_feature($(enable = $wide),+)]
                fn wide($($argument: $kind),*) $(-> $result)? {
                    $run($($argument),*)
                }
                if $(is_x86_feature_detected!($wider))&&+ {
                    // SAFETY: the CPU has these features.
                    return unsafe { wider($($argument),*) };
                }
                if $(is_x86_feature_detected!($wide))&&+ {
                    // SAFETY: as above.
                    return unsafe { wide($($argument),*) };
                }
            }
            $plain($($argument),*)
        }
    };
}
pub(crate) use widest;
