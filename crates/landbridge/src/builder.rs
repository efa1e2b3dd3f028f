//! What all builders share.

/// Setters of a builder: `name: kind => field;`.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $kind:ty => $($field:ident).+ ;)*) => {
        $($(#[$doc])* #[must_use] pub fn $name(mut self, $name: $kind) -> Self { self.$($field).+ = $name; self })*
    };
}
pub(crate) use setters;
