//! The methods that take part in a comparison.

use crate::method::Method;
use crate::params::{Given, Value};
use crate::registry;
use std::sync::Arc;

/// A method that takes part in a comparison.
#[derive(Clone)]
pub struct Candidate {
    /// Its name in the table; the names of candidates differ.
    pub label: String,
    /// Why it takes part, for the reader.
    pub reason: String,
    method: Arc<dyn Method>,
}

impl Candidate {
    /// A method under its call: `cca(n_components=50)`.
    pub fn new(method: impl Method + 'static) -> Self {
        Self::shared(Arc::new(method))
    }
    /// As [`Candidate::new`], for a shared method.
    pub fn shared(method: Arc<dyn Method>) -> Self {
        Self { label: call(&*method), reason: String::new(), method }
    }
    /// With another name.
    #[must_use]
    pub fn labelled(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }
    /// With the reason why it takes part.
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }
    /// The method.
    pub fn method(&self) -> &dyn Method {
        &*self.method
    }
    /// The method, to share.
    pub fn shared_method(&self) -> Arc<dyn Method> {
        Arc::clone(&self.method)
    }
}

impl std::fmt::Debug for Candidate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Candidate({})", self.label)
    }
}

/// The parameters that differ from their defaults, by name.
pub(crate) fn changed(method: &dyn Method) -> Given {
    let (schema, values) = (method.schema(), method.values());
    // Parameters of the embedding of a two-step method have the defaults of that embedding.
    let embedding = values.iter().find(|(name, _)| name == "embedding").and_then(|(_, word)| match word {
        Value::Text(word) => registry::embeddings().into_iter().find(|e| e.name == word),
        _ => None,
    });
    let default = |name: &str| {
        let own = schema.param(name).filter(|p| p.default != Some(Value::Text("auto".into())) || p.only_for.is_empty());
        let inner = || embedding.and_then(|e| e.param(name.strip_prefix("embedding_").unwrap_or(name)));
        own.or_else(inner).and_then(|p| p.default.clone())
    };
    let differs = |(name, value): &(String, Value)| {
        !matches!(name.as_str(), "n_jobs" | "random_state") && default(name).as_ref() != Some(value)
    };
    values.into_iter().filter(differs).collect()
}

/// The method and its parameters that are not defaults: `linear(n_components=50, mu=10)`.
fn call(method: &dyn Method) -> String {
    let given: Vec<String> = changed(method).iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!("{}({})", method.schema().name, given.join(", "))
}
