//! The list of all methods by name. The command line, Python, the documentation and the tests iterate over it.

use crate::correspondence::SelfTraining;
use crate::embed::Embedder;
use crate::error::{Error, Result};
use crate::method::{
    AffineAlignment, Cca, Cle, Clle, GlobalAlignment, InstanceAlignment, Lamvu, LinearAlignment, LinearTransform, MeanVotes,
    Method, MultiscaleAlignment, PairSimilarity, PopularVotes, ProcrustesAlignment, SparseAlignment,
};
use crate::params::{Given, Params, Schema, Value, from_given, nearest};
use std::sync::Arc;

macro_rules! registry {
    ($($method:ty),* $(,)?) => {
        /// The declarations of all methods, those for beginners first.
        pub fn methods() -> Vec<&'static Schema> {
            vec![$(<$method as Params>::schema()),*]
        }
        fn build(name: &str, given: Given) -> Result<Box<dyn Method>> {
            $(if <$method as Params>::schema().name == name {
                return Ok(Box::new(from_given::<$method>(given)?));
            })*
            Err(unknown(name))
        }
    };
}

registry![
    LinearAlignment,
    Cca,
    SelfTraining,
    InstanceAlignment,
    GlobalAlignment,
    SparseAlignment,
    MultiscaleAlignment,
    ProcrustesAlignment,
    AffineAlignment,
    Cle,
    Clle,
    Lamvu,
    LinearTransform,
    PairSimilarity,
    MeanVotes,
    PopularVotes,
];

/// The declarations of all embeddings of one dataset.
pub fn embeddings() -> Vec<&'static Schema> {
    Embedder::schemas()
}

/// The declaration of a method by name; a dash may replace an underscore.
pub fn schema(name: &str) -> Result<&'static Schema> {
    let name = name.replace('-', "_");
    methods().into_iter().find(|s| s.name == name).ok_or_else(|| unknown(&name))
}

/// Builds a method by name from the given parameters. A method among the parameters is built first.
///
/// ```
/// use landbridge::params::Value;
/// use landbridge::registry;
/// let method = registry::method("linear", vec![("n_components".into(), Value::Int(20)), ("mu".into(), Value::Number(10.0))])?;
/// assert_eq!(method.schema().class, "LinearAlignment");
/// assert!(registry::method("linear", vec![("n_component".into(), Value::Int(20))]).is_err());
/// # Ok::<(), landbridge::Error>(())
/// ```
pub fn method(name: &str, given: Given) -> Result<Box<dyn Method>> {
    let built = |(parameter, value): (String, Value)| match value {
        Value::Method(inner, given) => {
            let inner: Arc<dyn Method> = Arc::from(method(&inner, given)?);
            Ok((parameter, Value::Built(Arc::new(inner))))
        }
        other => Ok((parameter, other)),
    };
    build(schema(name)?.name, given.into_iter().map(built).collect::<Result<_>>()?)
}

/// A method as its paper prints it: the parameters in which our defaults depart from the paper.
#[derive(Clone, Debug)]
pub struct Preset {
    /// Its name: the paper, and the variant where there are several.
    pub name: &'static str,
    /// Name of the method.
    pub method: &'static str,
    /// The paper.
    pub paper: &'static str,
    /// The parameters that the paper has otherwise than our defaults.
    pub given: Vec<(&'static str, Value)>,
}

impl Preset {
    /// As JSON.
    pub fn to_json(&self) -> serde_json::Value {
        let params: serde_json::Map<_, _> = self.given.iter().map(|(name, value)| (name.to_string(), value.to_json())).collect();
        serde_json::json!({"name": self.name, "method": self.method, "paper": self.paper, "params": params})
    }
}

/// All presets.
pub fn presets() -> Vec<Preset> {
    const CHAPTER: &str = "Wang, Krafft, Mahadevan 2011";
    const RATINGS: &str = "Hou, Nie, Wang, Yi, Zhang 2013";
    let raw = || vec![("mu", Value::Number(1.0)), ("balance", Value::Flag(false))];
    let text = |word: &str| Value::Text(word.into());
    let preset =
        |name, method, paper, given: Vec<Vec<(&'static str, Value)>>| Preset { name, method, paper, given: given.concat() };
    let plain = || vec![("weights", text("heat")), ("weight_components", Value::Flag(false))];
    let absolute = vec![("normalized", Value::Flag(false)), ("relative", Value::Flag(false)), ("alpha", Value::Number(0.01))];
    let local = || vec![("predictor", text("local"))];
    let unweighted = || vec![("weight_components", Value::Flag(false))];
    vec![
        preset("chapter11", "linear", CHAPTER, vec![raw(), vec![("ridge", Value::Number(0.0))]]),
        preset("chapter11_instance", "instance", CHAPTER, vec![raw(), plain()]),
        preset("chapter11_hard", "instance", CHAPTER, vec![vec![("hard", Value::Flag(true))], plain()]),
        preset("chapter11_multiscale", "multiscale", CHAPTER, vec![raw()]),
        preset("sparse12", "sparse", "Wang, Liu, Vu, Mahadevan 2012", vec![raw(), absolute]),
        preset("global13", "global", "Wang, Mahadevan 2013", vec![unweighted()]),
        preset("global13_instance", "global", "Wang, Mahadevan 2013", vec![vec![("level", text("instance"))], unweighted()]),
        preset("procrustes08", "procrustes", "Wang, Mahadevan 2008", vec![vec![("embedding", text("laplacian"))]]),
        preset("lamvu13_cle", "cle", RATINGS, vec![local()]),
        preset("lamvu13_clle", "clle", RATINGS, vec![local(), vec![("ridge", Value::Number(1e-3))]]),
        preset("lamvu13", "lamvu", RATINGS, vec![local()]),
    ]
}

/// The preset of that name; a dash may replace an underscore.
///
/// ```
/// use landbridge::registry::preset;
/// assert_eq!(preset("chapter11-hard")?.method, "instance");
/// assert!(preset("chapter12").is_err());
/// # Ok::<(), landbridge::Error>(())
/// ```
pub fn preset(name: &str) -> Result<Preset> {
    let wanted = name.replace('-', "_");
    let names: Vec<&str> = presets().iter().map(|p| p.name).collect();
    presets().into_iter().find(|p| p.name == wanted).ok_or_else(|| {
        let hint = nearest(&wanted, &names).map_or_else(String::new, |near| format!(" (did you mean \"{near}\"?)"));
        Error::parameter("preset", format!("\"{name}\""), &format!("one of {}{hint}", names.join(", ")))
    })
}

/// Parameters from a model file, under their current names. Unknown ones are left out, because a model does not need its
/// parameters.
pub fn given_in_file(name: &str, json: &serde_json::Value) -> Given {
    let Value::Map(mut given) = Value::from_json(json) else { return vec![] };
    let declared = methods().into_iter().chain(embeddings()).find(|s| s.name == name);
    if matches!(name, "procrustes" | "affine") {
        // In earlier versions the ridge of the embedding was called `ridge`.
        let rename = |(key, value): (String, Value)| match key.as_str() {
            "ridge" if name == "procrustes" || !json["affine_ridge"].is_null() => ("embedding_ridge".to_string(), value),
            "affine_ridge" => ("ridge".to_string(), value),
            _ => (key, value),
        };
        given = given.into_iter().map(rename).collect();
    }
    if name == "multiscale" {
        // `over` features or instances is `level` feature or instance now.
        let rename = |(key, value): (String, Value)| match (key.as_str(), value) {
            ("over", Value::Text(word)) => ("level".to_string(), Value::Text(word.trim_end_matches('s').into())),
            (_, value) => (key, value),
        };
        given = given.into_iter().map(rename).collect();
    }
    let known = |key: &str| declared.is_some_and(|s| s.param(key).is_some());
    given.into_iter().filter(|(key, _)| known(key)).collect()
}

fn unknown(name: &str) -> Error {
    let names: Vec<&str> = methods().iter().map(|s| s.name).collect();
    let known = names.iter().map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", ");
    let hint = nearest(name, &names).map_or_else(String::new, |near| format!(" (did you mean \"{near}\"?)"));
    Error::parameter("method", format!("\"{name}\""), &format!("one of {known}{hint}"))
}
