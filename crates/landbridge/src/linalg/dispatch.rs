//! One safe loop, compiled for wider instruction sets as well.
#![allow(unsafe_code)]

/// `fn name(arguments) -> result = loop;` calls the `#[inline(always)]` loop as compiled for the first of two lists of features
/// that the processor has, otherwise as it is; `= loop, plain;` otherwise calls another one, where the first asks for
/// instructions that would be slow if they had to be imitated.
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
                    // SAFETY: the processor has these instructions.
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
