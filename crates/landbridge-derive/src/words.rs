//! `#[derive(Words)]`.

use crate::attributes::{doc, entries, snake};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields};

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(syn::Error::new_spanned(&input.ident, "words can only be derived for an enum"));
    };
    let name = &input.ident;
    let (mut variants, mut names, mut docs, mut aliases) = (vec![], vec![], vec![], vec![]);
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(syn::Error::new_spanned(variant, "the variant of a word cannot have fields"));
        }
        for entry in entries(&variant.attrs, "word")?.unwrap_or_default().iter().filter(|e| e.name == "alias") {
            let (ident, alias) = (&variant.ident, entry.value()?.clone());
            aliases.push(quote! { #alias => Some(#name::#ident), });
        }
        variants.push(&variant.ident);
        names.push(snake(&variant.ident.to_string()));
        docs.push(doc(&variant.attrs));
    }
    Ok(quote! {
        impl crate::params::Words for #name {
            const WORDS: &'static [crate::params::Word] =
                &[#(crate::params::Word { name: #names, doc: #docs }),*];
            fn word(&self) -> &'static str {
                match self { #(#name::#variants => #names),* }
            }
            fn from_word(word: &str) -> Option<Self> {
                match word { #(#names => Some(#name::#variants),)* #(#aliases)* _ => None }
            }
        }
        impl crate::params::Parameter for #name {
            fn kind() -> crate::params::Kind {
                crate::params::Kind::Word(<Self as crate::params::Words>::WORDS)
            }
            fn from_value(value: crate::params::Value) -> ::core::result::Result<Self, crate::params::Value> {
                crate::params::word_from(value)
            }
            fn to_value(&self) -> crate::params::Value {
                crate::params::Value::Text(crate::params::Words::word(self).into())
            }
        }
        impl serde::Serialize for #name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(crate::params::Words::word(self))
            }
        }
        impl<'de> serde::Deserialize<'de> for #name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                crate::params::deserialize_word(deserializer)
            }
        }
    })
}
