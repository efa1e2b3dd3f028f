//! Derive macros of landbridge: a parameter is declared once, next to its method.
//!
//! `#[derive(Params)]` reads a struct whose fields are the parameters of a method, and writes its builder, its range checks,
//! its schema and its (de)serialisation. `#[derive(Words)]` reads an enum whose variants are the words of a parameter.
//! `landbridge::params` holds the traits and says what the schema is used for.

mod attributes;
mod params;
mod words;

use proc_macro::TokenStream;

/// Declares the parameters of a method, of an embedding, or of a group that several methods share.
///
/// On the struct:
/// - `#[params(name = "linear", class = "LinearAlignment", family = "maps", ...)]` declares a method or an embedding.
///   `contradicts`: it has a method `contradiction_of` that finds parameters without effect. `unpromised = [("rotation", "why")]`:
///   invariants that it does not have. `nested`: the first components of a fit of many are a fit of few.
/// - `#[params(group, heading = "Neighbour graph")]` declares a group.
///
/// On a field:
/// - `#[param(default = 10, min = 1)]`: a parameter. Without a default it is required. Bounds: `min`, `max` (included), `above`,
///   `below` (excluded). `auto`: `None` is spelled "auto". `unsaved`: model files leave it out. `alias = "plain"`: another
///   spelling on the command line. `implies`: setting it calls `NAME_implies`, which may change others. `manual`: its setter is
///   written by hand. `heading = "Running"`: its group in help texts.
/// - `#[group]`: a field whose type is a group; `#[group(mu = 100.0)]` changes a default; `#[group(required)]` makes it an
///   argument of `new`.
/// - `#[internal(default = ...)]`: not a parameter.
#[proc_macro_derive(Params, attributes(params, param, group, internal))]
pub fn params(input: TokenStream) -> TokenStream {
    expand(input, params::derive)
}

/// Declares the words of a parameter: the variants of an enum in snake case, with their first doc line.
#[proc_macro_derive(Words, attributes(word))]
pub fn words(input: TokenStream) -> TokenStream {
    expand(input, words::derive)
}

fn expand(input: TokenStream, derive: impl Fn(&syn::DeriveInput) -> syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    derive(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}
