//! `#[derive(Params)]`.

use crate::attributes::{Entry, doc, entries, snake};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Expr, Field, Fields, GenericArgument, Ident, PathArguments, Type};

/// A field that is a parameter.
struct Param<'a> {
    name: &'a Ident,
    kind: &'a Type,
    doc: String,
    default: Option<Expr>,
    bounds: Vec<(Ident, Expr)>,
    auto: bool,
    unsaved: bool,
    alias: Option<Expr>,
    tune: Option<Expr>,
    heading: Option<Expr>,
    implies: bool,
    manual: bool,
}

/// A field that is a group of parameters, with the defaults it changes.
struct Group<'a> {
    name: &'a Ident,
    kind: &'a Type,
    required: bool,
    changes: Vec<Entry>,
}

enum Member<'a> {
    Param(Box<Param<'a>>),
    Group(Group<'a>),
    Internal { name: &'a Ident, default: Expr },
}

fn member(field: &Field) -> syn::Result<Member<'_>> {
    let name = field.ident.as_ref().ok_or_else(|| syn::Error::new_spanned(field, "a parameter needs a name"))?;
    if let Some(changes) = entries(&field.attrs, "group")? {
        let (required, changes) = changes.into_iter().partition::<Vec<_>, _>(|e| e.name == "required");
        return Ok(Member::Group(Group { name, kind: &field.ty, required: !required.is_empty(), changes }));
    }
    if let Some(list) = entries(&field.attrs, "internal")? {
        let default = list.iter().find(|e| e.name == "default").map(Entry::value).transpose()?;
        let default = default.cloned().unwrap_or_else(|| syn::parse_quote!(Default::default()));
        return Ok(Member::Internal { name, default });
    }
    let list = entries(&field.attrs, "param")?.unwrap_or_default();
    let mut param = Param {
        name,
        kind: &field.ty,
        doc: doc(&field.attrs),
        default: None,
        bounds: vec![],
        auto: false,
        unsaved: false,
        alias: None,
        tune: None,
        heading: None,
        implies: false,
        manual: false,
    };
    for entry in list {
        match entry.name.to_string().as_str() {
            "default" => param.default = Some(entry.value()?.clone()),
            "min" | "max" | "above" | "below" => param.bounds.push((entry.name.clone(), entry.value()?.clone())),
            "auto" => param.auto = true,
            "unsaved" => param.unsaved = true,
            "alias" => param.alias = Some(entry.value()?.clone()),
            "tune" => param.tune = Some(entry.value()?.clone()),
            "heading" => param.heading = Some(entry.value()?.clone()),
            "implies" => param.implies = true,
            "manual" => param.manual = true,
            other => return Err(syn::Error::new(entry.name.span(), format!("a parameter has no `{other}`"))),
        }
    }
    if param.doc.is_empty() {
        return Err(syn::Error::new_spanned(field, "a parameter needs a doc comment: it becomes the help text"));
    }
    Ok(Member::Param(Box::new(param)))
}

/// T of `Option<T>`.
fn inner_of_option(kind: &Type) -> Option<&Type> {
    let Type::Path(path) = kind else { return None };
    let last = path.path.segments.last().filter(|s| s.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => Some(inner),
        _ => None,
    }
}

/// The call of `NAME_implies`, for a parameter that changes another one.
fn implied(param: &Param<'_>, owner: &TokenStream) -> Option<TokenStream> {
    param.implies.then(|| {
        let hook = format_ident!("{}_implies", param.name);
        quote! { #owner.#hook(); }
    })
}

/// The setter of a parameter. `owner` is the struct that has the field, as seen from the method.
fn setter(param: &Param<'_>, owner: &TokenStream) -> TokenStream {
    let (name, text) = (param.name, &param.doc);
    let place = quote! { #owner.#name };
    let implied = implied(param, owner);
    match inner_of_option(param.kind) {
        Some(inner) => quote! {
            #[doc = #text]
            #[must_use]
            pub fn #name(mut self, #name: impl Into<Option<#inner>>) -> Self {
                #place = #name.into();
                #implied
                self
            }
        },
        None => {
            let kind = param.kind;
            quote! {
                #[doc = #text]
                #[must_use]
                pub fn #name(mut self, #name: #kind) -> Self {
                    #place = #name;
                    #implied
                    self
                }
            }
        }
    }
}

/// The declaration of a parameter.
fn declaration(param: &Param<'_>, heading: &TokenStream) -> TokenStream {
    let (name, kind, text) = (param.name.to_string(), param.kind, &param.doc);
    let (auto, unsaved) = (param.auto, param.unsaved);
    let default = match &param.default {
        Some(default) => quote! {{ let default: #kind = #default; Some(crate::params::Parameter::to_value(&default)) }},
        None => quote! { None },
    };
    let bound = |which: &str| match param.bounds.iter().find(|(name, _)| name == which) {
        Some((_, value)) => quote! { Some(#value as f64) },
        None => quote! { None },
    };
    let (min, max, above, below) = (bound("min"), bound("max"), bound("above"), bound("below"));
    let alias = param.alias.as_ref().map_or_else(|| quote! { None }, |alias| quote! { Some(#alias) });
    let tune = param.tune.as_ref().map_or_else(|| quote! { None }, |tune| quote! { Some(#tune) });
    let heading = param.heading.as_ref().map_or_else(|| quote! { #heading }, |own| quote! { #own });
    quote! {
        crate::params::Param {
            name: #name,
            doc: #text,
            kind: <#kind as crate::params::Parameter>::kind(),
            optional: <#kind as crate::params::Parameter>::OPTIONAL,
            auto: #auto,
            default: #default,
            range: crate::params::Range { min: #min, max: #max, above: #above, below: #below },
            unsaved: #unsaved,
            alias: #alias,
            tune: #tune,
            heading: #heading,
            only_for: Vec::new(),
        }
    }
}

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new_spanned(&input.ident, "parameters can only be derived for a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(syn::Error::new_spanned(&input.ident, "parameters need named fields"));
    };
    let own = entries(&input.attrs, "params")?.unwrap_or_default();
    let text = |which: &str| own.iter().find(|e| e.name == which).map(Entry::value).transpose();
    let is_group = own.iter().any(|e| e.name == "group");
    let heading = match text("heading")? {
        Some(heading) => quote! { #heading },
        None => quote! { "Method" },
    };
    let name = &input.ident;
    let members = fields.named.iter().map(member).collect::<syn::Result<Vec<_>>>()?;

    let (mut declared, mut set, mut values, mut checks, mut setters) = (vec![], vec![], vec![], vec![], vec![]);
    let (mut initial, mut arguments, mut blanks, mut first_argument) = (vec![], vec![], vec![], None);
    for member in &members {
        match member {
            Member::Param(param) => {
                let (ident, label, kind) = (param.name, param.name.to_string(), param.kind);
                let described = declaration(param, &heading);
                declared.push(quote! { out.push(#described); });
                let implied = implied(param, &quote! { self });
                set.push(quote! {
                    #label => { self.#ident = crate::params::Parameter::from_value(value)?; #implied Ok(true) }
                });
                values.push(quote! { out.push((#label, crate::params::Parameter::to_value(&self.#ident))); });
                if !param.bounds.is_empty() {
                    checks.push(quote! { crate::params::check_range(#label, &self.#ident, &#described.range)?; });
                } else {
                    checks.push(quote! { crate::params::check_finite(#label, &self.#ident)?; });
                }
                if param.default.is_some() && !param.manual {
                    setters.push(setter(param, &quote! { self }));
                }
                match &param.default {
                    Some(default) => initial.push(quote! { #ident: { let default: #kind = #default; default } }),
                    None => {
                        arguments.push(quote! { #ident: #kind });
                        blanks.push(quote! { Default::default() });
                        first_argument.get_or_insert_with(|| ident.to_string());
                        initial.push(quote! { #ident });
                    }
                }
            }
            Member::Group(group) => {
                let (ident, kind) = (group.name, group.kind);
                let changed: Vec<_> = group.changes.iter().map(|e| (e.name.to_string(), e.value())).collect();
                let mut pushes = vec![];
                let mut assigned = vec![];
                for (label, value) in changed {
                    let (value, field) = (value?, format_ident!("{}", label));
                    pushes.push(quote! { (#label, crate::params::Parameter::to_value(&#value)) });
                    assigned.push(quote! { group.#field = #value; });
                }
                declared.push(quote! {
                    crate::params::add_group(&mut out, <#kind as crate::params::Declared>::declared(), &[#(#pushes),*]);
                });
                set.push(quote! { _ if crate::params::has::<#kind>(name) => self.#ident.set(name, value), });
                values.push(quote! { out.extend(crate::params::Declared::values(&self.#ident)); });
                checks.push(quote! { crate::params::Declared::check_ranges(&self.#ident)?; });
                if group.required {
                    arguments.push(quote! { #ident: impl Into<#kind> });
                    blanks.push(quote! { <#kind as Default>::default() });
                    initial.push(quote! { #ident: #ident.into() });
                    first_argument.get_or_insert_with(|| ident.to_string());
                } else {
                    initial.push(
                        quote! { #ident: { #[allow(unused_mut)] let mut group = <#kind>::default(); #(#assigned)* group } },
                    );
                }
                let Type::Path(path) = kind else { return Err(syn::Error::new_spanned(kind, "a group must be a named type")) };
                let last = &path.path.segments.last().ok_or_else(|| syn::Error::new_spanned(kind, "a group needs a name"))?.ident;
                let macro_name = format_ident!("{}_setters", snake(&last.to_string()));
                setters.push(quote! { #macro_name! { #ident } });
            }
            Member::Internal { name, default } => initial.push(quote! { #name: #default }),
        }
    }

    let shared = quote! {
        impl crate::params::Declared for #name {
            fn declared() -> Vec<crate::params::Param> {
                #[allow(unused_mut)]
                let mut out = Vec::new();
                #(#declared)*
                out
            }
            #[allow(unused_variables)]
            fn set(&mut self, name: &str, value: crate::params::Value) -> ::core::result::Result<bool, crate::params::Value> {
                match name { #(#set)* _ => Ok(false) }
            }
            #[allow(unused_mut)]
            fn values(&self) -> Vec<(&'static str, crate::params::Value)> {
                let mut out = Vec::new();
                #(#values)*
                out
            }
            fn check_ranges(&self) -> crate::error::Result<()> {
                #(#checks)*
                Ok(())
            }
        }
    };

    if is_group {
        // Types of a group's fields are written with their full path, so that this macro works in any module of the crate.
        let macro_name = format_ident!("{}_setters", snake(&name.to_string()));
        let delegated = members.iter().filter_map(|member| match member {
            Member::Param(param) => Some(setter(param, &quote! { self.$group })),
            _ => None,
        });
        return Ok(quote! {
            #shared
            impl Default for #name {
                fn default() -> Self {
                    Self { #(#initial),* }
                }
            }
            macro_rules! #macro_name {
                ($group:ident) => { #(#delegated)* };
            }
            pub(crate) use #macro_name;
        });
    }

    let string = |which: &str| -> syn::Result<TokenStream> {
        let value = text(which)?.ok_or_else(|| syn::Error::new_spanned(name, format!("#[params({which} = ...)] is missing")))?;
        Ok(quote! { #value })
    };
    let (word, class, family) = (string("name")?, string("class")?, string("family")?);
    let choose = text("choose")?.map_or_else(|| quote! { "" }, |v| quote! { #v });
    let paper = text("paper")?.map_or_else(|| quote! { "" }, |v| quote! { #v });
    let infers = own.iter().any(|e| e.name == "infers");
    let nested = own.iter().any(|e| e.name == "nested");
    let unpromised = text("unpromised")?.map_or_else(|| quote! { &[] }, |v| quote! { &#v });
    let description = doc(&input.attrs);
    let contradiction = own.iter().any(|e| e.name == "contradicts").then(|| {
        quote! {
            fn contradiction(&self) -> Option<(&'static str, String)> {
                self.contradiction_of()
            }
        }
    });
    let new_doc = match &first_argument {
        Some(ident) => format!("With this `{ident}`, and the defaults for all other parameters."),
        None => "With default parameters.".to_string(),
    };
    let default = first_argument.is_none().then(|| {
        quote! { impl Default for #name { fn default() -> Self { Self::new() } } }
    });
    Ok(quote! {
        #shared
        #default
        impl #name {
            #[doc = #new_doc]
            pub fn new(#(#arguments),*) -> Self {
                Self { #(#initial),* }
            }
            #(#setters)*
        }
        impl crate::params::Params for #name {
            fn schema() -> &'static crate::params::Schema {
                static SCHEMA: std::sync::OnceLock<crate::params::Schema> = std::sync::OnceLock::new();
                SCHEMA.get_or_init(|| crate::params::Schema {
                    name: #word,
                    class: #class,
                    family: #family,
                    paper: #paper,
                    choose: #choose,
                    infers: #infers,
                    nested: #nested,
                    unpromised: #unpromised,
                    doc: #description,
                    params: <Self as crate::params::Declared>::declared(),
                })
            }
            fn blank() -> Self {
                Self::new(#(#blanks),*)
            }
            #contradiction
        }
        impl serde::Serialize for #name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                crate::params::to_json(self).serialize(serializer)
            }
        }
        impl<'de> serde::Deserialize<'de> for #name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                let json = <serde_json::Value as serde::Deserialize>::deserialize(deserializer)?;
                crate::params::from_json(&json).map_err(serde::de::Error::custom)
            }
        }
    })
}
