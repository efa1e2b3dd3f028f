//! Reading attributes: doc comments and `name = value` lists.

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, Token};

/// The doc comment, line by line, without the blank that follows the slashes.
pub(crate) fn doc(attributes: &[Attribute]) -> String {
    let mut lines = vec![];
    for attribute in attributes.iter().filter(|a| a.path().is_ident("doc")) {
        if let Meta::NameValue(pair) = &attribute.meta
            && let Expr::Lit(literal) = &pair.value
            && let Lit::Str(text) = &literal.lit
        {
            let line = text.value();
            lines.push(line.strip_prefix(' ').unwrap_or(&line).to_string());
        }
    }
    lines.join("\n").trim().to_string()
}

/// One entry of an attribute: `name` or `name = value`.
pub(crate) struct Entry {
    pub(crate) name: syn::Ident,
    pub(crate) value: Option<Expr>,
}

impl Entry {
    /// Its value; an error if there is none.
    pub(crate) fn value(&self) -> syn::Result<&Expr> {
        self.value.as_ref().ok_or_else(|| syn::Error::new(self.name.span(), format!("{} needs a value", self.name)))
    }
}

/// The entries of `#[which(...)]`; `None` if the attribute is absent.
pub(crate) fn entries(attributes: &[Attribute], which: &str) -> syn::Result<Option<Vec<Entry>>> {
    let Some(attribute) = attributes.iter().find(|a| a.path().is_ident(which)) else { return Ok(None) };
    if matches!(attribute.meta, Meta::Path(_)) {
        return Ok(Some(vec![]));
    }
    let list = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
    let entry = |meta: Meta| match meta {
        Meta::Path(path) => Ok(Entry { name: path.require_ident()?.clone(), value: None }),
        Meta::NameValue(pair) => Ok(Entry { name: pair.path.require_ident()?.clone(), value: Some(pair.value) }),
        Meta::List(list) => Err(syn::Error::new_spanned(list, "expected `name` or `name = value`")),
    };
    list.into_iter().map(entry).collect::<syn::Result<Vec<_>>>().map(Some)
}

/// `LinearTransform` as `linear_transform`.
pub(crate) fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        if c.is_uppercase() && at > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
