//! The method of a fit and its parameters, as typed.

use crate::Result;
use crate::embeddings::{EmbeddingArg, EmbeddingArgs, GraphArgs, Shared, prepare};
use crate::failure::Failure;
use crate::global::GlobalArgs;
use crate::output::Console;
use crate::prediction::{PredictionArgs, with_prediction};
use crate::progress::Watch;
use crate::sparse::SparseArgs;
use clap::{Args, ValueEnum};
use landbridge::correspondence::{InferPairs, Keep, TransportPairs};
use landbridge::correspondence::{Inferring, SelfTraining};
use landbridge::data::{Dataset, Pairs, Prepare};
use landbridge::geometry::neighbors::Metric;
use landbridge::method::{
    AffineAlignment, Cca, Cle, Clle, Constraint, InstanceAlignment, Lamvu, Level, LinearAlignment, LinearTransform, MeanVotes,
    Method, MultiscaleAlignment, Over, PairSimilarity, PopularVotes, ProcrustesAlignment, SparsePath,
};
use landbridge::solve::wavelets::Construction;

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum MethodArg {
    /// One linear map per dataset (manifold projections); new rows and features can be mapped
    Linear,
    /// One linear map per dataset in which most weights are 0 (lasso and others)
    Sparse,
    /// Joint Laplacian of all rows; pairs pull (or, with --hard, coincide)
    Instance,
    /// Distances are kept, not only neighbours: along the data, and through the pairs from one dataset to another
    Global,
    /// Correspondence Laplacian eigenmaps: paired rows coincide, plain Laplacian
    Cle,
    /// Correspondence locally linear embedding: paired rows coincide, rows stay combinations of their neighbours
    Clle,
    /// Paired rows unfolded as far as their distances allow, the others between paired neighbours
    Lamvu,
    /// Predicts the mean of what paired rows have in each column, for every row the same
    MeanVotes,
    /// Predicts the most frequent value that paired rows have in each column, for every row the same
    PopularVotes,
    /// Canonical correlation analysis with a ridge
    Cca,
    /// Least squares from every dataset to the last one's features
    LinearTransform,
    /// A hierarchy of nested joint spaces, fine to coarse, whose dimensions come out of the data (diffusion wavelets)
    Multiscale,
    /// Rows described by their similarity to the paired rows
    PairSimilarity,
    /// Each dataset embedded by itself (--embedding), then turned, scaled and shifted onto the first
    Procrustes,
    /// Each dataset embedded by itself (--embedding), then mapped onto the first by least squares
    Affine,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ConstraintArg {
    /// X'DX
    Degree,
    /// X'X
    Identity,
}

/// How pairs are guessed.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum InferArg {
    /// By what the surroundings of rows look like: for shapes
    Patterns,
    /// By optimal transport: for cells and the like
    Transport,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum LevelArg {
    /// One linear map per dataset
    Feature,
    /// A place for each row
    Instance,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum OverArg {
    /// Maps of features
    Features,
    /// Places of rows
    Instances,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ConstructionArg {
    /// Exact for symmetric graphs, the recursion for directed ones
    Auto,
    /// Localised bases of the exact spectral subspaces
    Spectral,
    /// The published recursion
    Recursion,
}

#[derive(Debug, Args)]
pub(crate) struct MethodArgs {
    /// The method
    #[arg(long, value_name = "METHOD", value_enum, required_unless_present = "self_train")]
    method: Option<MethodArg>,
    /// Find more pairs by itself, from the known ones or from none, then fit the method (without --method: CCA in
    /// principal coordinates); says how far to trust the result
    #[arg(long)]
    self_train: bool,
    /// Dimension of the joint space (linear-transform and pair-similarity have their own)
    #[arg(short = 'd', long, value_name = "N")]
    n_components: Option<usize>,

    #[command(flatten)]
    graph: GraphArgs,
    /// procrustes, affine: how each dataset is embedded by itself [default: laplacian]
    #[arg(long, value_name = "EMBEDDING", value_enum, help_heading = "Embedding")]
    embedding: Option<EmbeddingArg>,
    #[command(flatten)]
    embedding_options: EmbeddingArgs,
    #[command(flatten)]
    sparse: SparseArgs,
    /// procrustes: keep the size of every dataset
    #[arg(long, help_heading = "Method")]
    no_scaling: bool,
    /// procrustes: proper rotations only, no mirror images
    #[arg(long, help_heading = "Method")]
    no_reflection: bool,

    #[command(flatten)]
    global: GlobalArgs,

    /// Strength of the pairs [default: 1; linear, multiscale: 100]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Method")]
    mu: Option<f64>,
    /// Strength of the neighbours [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Method")]
    nu: Option<f64>,
    /// Take --mu as it is, not in units of (edge weight) / (pair weight)
    #[arg(long, help_heading = "Method")]
    no_balance: bool,
    /// instance: paired rows coincide
    #[arg(long, help_heading = "Method")]
    hard: bool,
    /// instance, sparse: plain Laplacian, F'F = I instead of F'DF = I
    #[arg(long, help_heading = "Method")]
    plain: bool,
    /// instance, cle: relative residual of the eigensolver [default: 1e-5]; sparse: relative duality gap [default: 1e-8]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Method")]
    tolerance: Option<f64>,
    /// global, sparse: map features or place rows [default: feature]
    #[arg(long, value_name = "LEVEL", value_enum, help_heading = "Method")]
    level: Option<LevelArg>,
    /// linear: right-hand side of the problem [default: degree]
    #[arg(long, value_name = "CONSTRAINT", value_enum, help_heading = "Method")]
    constraint: Option<ConstraintArg>,
    /// linear, cca, linear-transform, affine, global: ridge; 0 is the papers' problem [default: chosen; affine, global: 0]; cle,
    /// clle, lamvu: of local weights [default: 0.001]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Method")]
    ridge: Option<f64>,
    /// linear, cca: weigh components by what they say about pairs [default: true without --ridge]; global: by how much of
    /// the distances they keep [default: true for --level instance and for geodesic distances]
    #[arg(long, value_name = "BOOL", help_heading = "Method")]
    weight_components: Option<bool>,
    /// multiscale: which eigenvalues still count at a level, above 0, below 1 [default: 1e-5]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Method")]
    precision: Option<f64>,
    /// multiscale: levels at most [default: to the top]
    #[arg(long, value_name = "N", help_heading = "Method")]
    max_levels: Option<usize>,
    /// multiscale: what the levels are functions of [default: features]
    #[arg(long, value_name = "WHAT", value_enum, help_heading = "Method")]
    over: Option<OverArg>,
    /// multiscale: edges lead to the neighbours only; --graphs need not be symmetric
    #[arg(long, help_heading = "Method")]
    directed: bool,
    /// multiscale: how the levels are built [default: auto]
    #[arg(long, value_name = "HOW", value_enum, help_heading = "Method")]
    construction: Option<ConstructionArg>,
    /// linear, sparse, cca, multiscale, linear-transform, global, embeddings: what is done to rows first: none, center, unit, center-unit,
    /// unit-center, tfidf,
    /// tfidf-center, log-tfidf, standardize [default: center]
    #[arg(long, value_name = "PREPARE", value_parser = prepare, help_heading = "Method")]
    prepare: Option<Prepare>,
    #[command(flatten)]
    prediction: PredictionArgs,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Method")]
    random_state: u64,
    /// Threads, 0 = all cores; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Method")]
    n_jobs: usize,
}

/// The parameters that all methods with neighbour graphs share.
macro_rules! with_graphs {
    ($method:expr, $args:expr) => {{
        let args: &MethodArgs = $args;
        let mut method = $method
            .weights(args.graph.library_weights())
            .heat_width(args.graph.heat_width)
            .balance(!args.no_balance)
            .random_state(args.random_state)
            .n_jobs(args.n_jobs);
        if let Some(n) = args.graph.n_neighbors {
            method = method.n_neighbors(n);
        }
        if let Some(metric) = args.graph.metric {
            method = method.metric(metric.into());
        }
        if let Some(search) = args.graph.search {
            method = method.search(search.into());
        }
        if let Some(mu) = args.mu {
            method = method.mu(mu);
        }
        if let Some(nu) = args.nu {
            method = method.nu(nu);
        }
        match args.graph.read()? {
            Some(graphs) => method.graphs(graphs),
            None => method,
        }
    }};
}

/// The parameters of a search for neighbours.
macro_rules! with_search {
    ($method:expr, $args:expr) => {{
        let args: &MethodArgs = $args;
        let mut method = $method.random_state(args.random_state).n_jobs(args.n_jobs);
        if let Some(n) = args.graph.n_neighbors {
            method = method.n_neighbors(n);
        }
        if let Some(metric) = args.graph.metric {
            method = method.metric(metric.into());
        }
        if let Some(search) = args.graph.search {
            method = method.search(search.into());
        }
        method
    }};
}

/// The parameters of votes.
macro_rules! with_votes {
    ($method:expr, $args:expr) => {{
        let args: &MethodArgs = $args;
        let method = $method.unseen(args.prediction.unseen()).n_jobs(args.n_jobs);
        match args.prediction.known {
            Some(known) => method.known(known.into()),
            None => method,
        }
    }};
}

/// Methods that need `-d`.
const WITH_DIMENSION: &[MethodArg] = &[
    MethodArg::Linear,
    MethodArg::Sparse,
    MethodArg::Instance,
    MethodArg::Global,
    MethodArg::Cle,
    MethodArg::Clle,
    MethodArg::Lamvu,
    MethodArg::Cca,
];

impl MethodArgs {
    /// Options that contradict each other or have no effect are refused: nobody should believe in them.
    pub(crate) fn check(&self) -> Result<()> {
        use MethodArg::{Affine, Cle, Procrustes};
        let refuse = |option: &str, why: &str| Err(Failure::usage(format!("{option} {why}")).hint("leave it out"));
        let options = self.options();
        let Some(method) = self.method else { return self.check_nothing_given(&options) };
        let name = method.to_possible_value().map_or_else(String::new, |v| v.get_name().to_string());
        let two_steps = matches!(method, Procrustes | Affine);
        if let Some(option) = self.global.given().filter(|_| two_steps) {
            return refuse(option, &format!("has no meaning for {name}"));
        }
        if let Some(option) = self.embedding_options.given().filter(|_| !two_steps) {
            return refuse(option, &format!("has no meaning for {name}"));
        }
        if let Some((option, _)) = self.sparse.given().iter().find(|(_, given)| *given && method != MethodArg::Sparse) {
            return refuse(option, &format!("has no meaning for {name}"));
        }
        let cle = method == Cle;
        if cle {
            for (option, given) in [("--hard", self.hard), ("--plain", self.plain)] {
                if given {
                    return refuse(option, "has no meaning for cle, which is always hard and plain");
                }
            }
        }
        if two_steps {
            // What belongs to graphs and embeddings is looked at there.
            let elsewhere = [
                "-d",
                "--n-neighbors",
                "--metric",
                "--weights",
                "--heat-width",
                "--graphs",
                "--search",
                "--plain",
                "--tolerance",
                "--prepare",
            ];
            let refused =
                options.iter().find(|(o, given, methods)| *given && !methods.contains(&method) && !elsewhere.contains(o));
            return match refused {
                Some((option, ..)) => refuse(option, &format!("has no meaning for {name}")),
                None => self.embedding_options.check(self.chosen_embedding(), &self.graph, &self.shared()),
            };
        }
        if let Some((option, ..)) = options.iter().find(|(_, given, methods)| *given && !methods.contains(&method)) {
            return refuse(option, &format!("has no meaning for {name}"));
        }
        if method == MethodArg::Global {
            self.global.check(&self.graph)?;
        } else if let Some(option) = self.global.given() {
            return refuse(option, &format!("has no meaning for {name}"));
        }
        if self.n_components.is_none() && WITH_DIMENSION.contains(&method) {
            let hint = "for example -d 20";
            return Err(Failure::usage(format!("{name} needs -d (--n-components), the dimension of the joint space")).hint(hint));
        }
        if cle || self.hard {
            let merged = if cle { "cle" } else { "--hard" };
            for (option, given) in [("--mu", self.mu.is_some()), ("--no-balance", self.no_balance)] {
                if given {
                    return refuse(option, &format!("has no effect with {merged}: paired rows are merged, nothing pulls them"));
                }
            }
        }
        self.graph.check()
    }

    /// Every option of a method: whether it is given, and the methods it belongs to.
    fn options(&self) -> [(&'static str, bool, &'static [MethodArg]); 34] {
        use MethodArg::{
            Affine, Cca, Cle, Clle, Global, Instance, Lamvu, Linear, LinearTransform, MeanVotes, Multiscale, PopularVotes,
            Procrustes, Sparse,
        };
        const WITH_GRAPHS: &[MethodArg] = &[Linear, Sparse, Instance, Cle, Multiscale];
        const WITH_NEIGHBORS: &[MethodArg] = &[Linear, Sparse, Instance, Cle, Multiscale, Global, Clle, Lamvu];
        const WITH_RIDGE: &[MethodArg] = &[Linear, Cca, LinearTransform, Affine, Global, Cle, Clle, Lamvu];
        const PREDICTING: &[MethodArg] = &[Cle, Clle, Lamvu];
        const VOTES: &[MethodArg] = &[MeanVotes, PopularVotes];
        const WITH_KNOWN: &[MethodArg] = &[Cle, Clle, Lamvu, MeanVotes, PopularVotes];
        let own = &self.prediction;
        [
            ("--embedding", self.embedding.is_some(), &[Procrustes, Affine]),
            ("--no-scaling", self.no_scaling, &[Procrustes]),
            ("--no-reflection", self.no_reflection, &[Procrustes]),
            ("-d", self.n_components.is_some(), WITH_DIMENSION),
            ("--n-neighbors", self.graph.n_neighbors.is_some(), WITH_NEIGHBORS),
            ("--metric", self.graph.metric.is_some(), WITH_NEIGHBORS),
            ("--weights", self.graph.weights.is_some(), WITH_GRAPHS),
            ("--heat-width", self.graph.heat_width.is_some(), WITH_GRAPHS),
            ("--graphs", self.graph.graphs.is_some(), WITH_GRAPHS),
            ("--search", self.graph.search.is_some(), WITH_NEIGHBORS),
            ("--mu", self.mu.is_some(), WITH_GRAPHS),
            ("--nu", self.nu.is_some(), WITH_GRAPHS),
            ("--no-balance", self.no_balance, WITH_GRAPHS),
            ("--hard", self.hard, &[Instance]),
            ("--plain", self.plain, &[Instance, Sparse]),
            ("--tolerance", self.tolerance.is_some(), &[Instance, Cle, Sparse]),
            ("--level", self.level.is_some(), &[Global, Sparse]),
            ("--constraint", self.constraint.is_some(), &[Linear]),
            ("--ridge", self.ridge.is_some(), WITH_RIDGE),
            ("--weight-components", self.weight_components.is_some(), &[Linear, Cca, Global]),
            ("--precision", self.precision.is_some(), &[Multiscale]),
            ("--max-levels", self.max_levels.is_some(), &[Multiscale]),
            ("--over", self.over.is_some(), &[Multiscale]),
            ("--directed", self.directed, &[Multiscale]),
            ("--construction", self.construction.is_some(), &[Multiscale]),
            ("--prepare", self.prepare.is_some(), &[Linear, Sparse, Cca, LinearTransform, Affine, Multiscale, Global]),
            ("--n-neighbors-embed", own.n_neighbors_embed.is_some(), PREDICTING),
            ("--n-neighbors-predict", own.n_neighbors_predict.is_some(), PREDICTING),
            ("--predictor", own.predictor.is_some(), PREDICTING),
            ("--known", own.known.is_some(), WITH_KNOWN),
            ("--unseen", own.unseen.is_some(), VOTES),
            ("--constraints", own.constraints.is_some(), &[Lamvu]),
            ("--solver", own.solver.is_some(), &[Lamvu]),
            ("--n-functions", own.n_functions.is_some(), &[Lamvu]),
        ]
    }

    /// Without a method, options of methods have nothing to act on.
    fn check_nothing_given(&self, options: &[(&'static str, bool, &[MethodArg])]) -> Result<()> {
        let given = options.iter().find(|(_, given, _)| *given).map(|(option, ..)| *option);
        let sparse = self.sparse.given().into_iter().find(|(_, given)| *given).map(|(option, _)| option);
        match given.or(self.embedding_options.given()).or(self.global.given()).or(sparse) {
            None => Ok(()),
            Some(option) => Err(Failure::usage(format!("{option} belongs to a method, and none is given"))
                .hint("give --method too, for example --method linear")),
        }
    }

    fn chosen_embedding(&self) -> EmbeddingArg {
        self.embedding.unwrap_or(EmbeddingArg::Laplacian)
    }

    fn shared(&self) -> Shared {
        Shared {
            n_components: self.n_components,
            prepare: self.prepare,
            plain: self.plain,
            tolerance: self.tolerance,
            random_state: self.random_state,
            n_jobs: self.n_jobs,
        }
    }

    fn sparse_method(&self) -> Result<landbridge::method::SparseAlignment> {
        let mut method = self.sparse.method(self.n_components.unwrap_or(1), self.level())?.normalized(!self.plain);
        method = method.prepare(self.prepare.unwrap_or_default());
        if let Some(tolerance) = self.tolerance {
            method = method.tolerance(tolerance);
        }
        Ok(with_graphs!(method, self))
    }

    /// The method for these datasets; strengths that are to be chosen by held-out pairs are chosen, and what was seen on the
    /// way is returned too.
    pub(crate) fn method_for(
        &self,
        datasets: &[Dataset],
        pairs: &Pairs,
        watch: &Watch,
        console: &Console,
    ) -> Result<(Box<dyn Method>, Option<SparsePath>)> {
        if self.method == Some(MethodArg::Sparse) && !self.self_train {
            let (method, path) = self.sparse.choose(self.sparse_method()?, datasets, pairs, watch, console)?;
            return Ok((Box::new(method), path));
        }
        if self.sparse.given().contains(&("--alphas", true)) {
            return Err(Failure::usage("--alphas has no meaning with --self-train").hint("give one --alpha"));
        }
        Ok((self.method()?, None))
    }

    /// The method with its parameters, as the library knows them.
    fn method(&self) -> Result<Box<dyn Method>> {
        let base = self.method.map(|method| self.base(method)).transpose()?;
        if self.self_train {
            let training = SelfTraining::new().boxed_base(base).random_state(self.random_state).n_jobs(self.n_jobs);
            return Ok(Box::new(training));
        }
        base.ok_or_else(|| Failure::usage("--method is missing"))
    }

    /// The method, with pairs that are guessed.
    pub(crate) fn inferring(&self, how: InferArg) -> Result<Box<dyn Method>> {
        if self.self_train && how == InferArg::Patterns {
            let message = "--self-train finds pairs by itself; --pairs infer would hand it guesses as known";
            return Err(Failure::usage(message).hint("leave one of them out, or start it by --infer transport"));
        }
        if self.sparse.given().contains(&("--alphas", true)) {
            return Err(Failure::usage("--alphas are judged by known pairs, and --pairs infer has none").hint("give one --alpha"));
        }
        if how == InferArg::Transport {
            let infer = TransportPairs::new().metric(self.graph.metric.map(Into::into)).random_state(self.random_state);
            // Self-training takes its pairs for known: only those that choose each other.
            let infer = if self.self_train { infer.keep(Keep::Mutual) } else { infer };
            return Ok(Box::new(Inferring::boxed(self.method()?, infer.n_jobs(self.n_jobs))));
        }
        let metric = self.graph.metric.map_or(Metric::Euclidean, Into::into);
        let infer = InferPairs::new().metric(metric).random_state(self.random_state).n_jobs(self.n_jobs);
        Ok(Box::new(Inferring::boxed(self.method()?, infer)))
    }

    fn level(&self) -> Level {
        match self.level {
            Some(LevelArg::Instance) => Level::Instance,
            _ => Level::Feature,
        }
    }

    fn base(&self, method: MethodArg) -> Result<Box<dyn Method>> {
        let d = self.n_components.unwrap_or(1);
        let prepare = self.prepare.unwrap_or_default();
        let instance = || -> Result<InstanceAlignment> {
            let mut method = InstanceAlignment::new(d).hard(self.hard).normalized(!self.plain);
            if let Some(tolerance) = self.tolerance {
                method = method.tolerance(tolerance);
            }
            Ok(with_graphs!(method, self))
        };
        Ok(match method {
            MethodArg::Instance => Box::new(instance()?),
            MethodArg::Cle => {
                let base = instance()?;
                Box::new(with_prediction!(Cle::new(d).with(|_| base), &self.prediction, self.ridge))
            }
            MethodArg::Clle => Box::new(with_prediction!(with_search!(Clle::new(d), self), &self.prediction, self.ridge)),
            MethodArg::Lamvu => {
                let method = with_search!(Lamvu::new(d), self).constraints(self.prediction.constraints());
                let mut method = method.solver(self.prediction.solver());
                if let Some(n) = self.prediction.n_functions {
                    method = method.n_functions(n);
                }
                Box::new(with_prediction!(method, &self.prediction, self.ridge))
            }
            MethodArg::MeanVotes => Box::new(with_votes!(MeanVotes::new(), self)),
            MethodArg::PopularVotes => Box::new(with_votes!(PopularVotes::new(), self)),
            MethodArg::Linear => {
                let constraint = match self.constraint {
                    Some(ConstraintArg::Identity) => Constraint::Identity,
                    _ => Constraint::Degree,
                };
                let method = LinearAlignment::new(d)
                    .constraint(constraint)
                    .ridge(self.ridge)
                    .weight_components(self.weight_components)
                    .prepare(prepare);
                Box::new(with_graphs!(method, self))
            }
            MethodArg::Global => Box::new(
                self.global
                    .method(d, self.level(), &self.graph)?
                    .ridge(self.ridge.unwrap_or(0.0))
                    .weight_components(self.weight_components)
                    .prepare(prepare)
                    .random_state(self.random_state)
                    .n_jobs(self.n_jobs),
            ),
            MethodArg::Sparse => Box::new(self.sparse_method()?),
            MethodArg::Cca => Box::new(
                Cca::new(d)
                    .ridge(self.ridge)
                    .weight_components(self.weight_components)
                    .prepare(prepare)
                    .random_state(self.random_state)
                    .n_jobs(self.n_jobs),
            ),
            MethodArg::LinearTransform => Box::new(LinearTransform::new().ridge(self.ridge).prepare(prepare).n_jobs(self.n_jobs)),
            MethodArg::Procrustes => {
                let embedder = self.embedding_options.embedder(self.chosen_embedding(), &self.graph, &self.shared())?;
                let method = ProcrustesAlignment::new(embedder).scaling(!self.no_scaling).reflection(!self.no_reflection);
                Box::new(method.n_jobs(self.n_jobs))
            }
            MethodArg::Affine => {
                let embedder = self.embedding_options.embedder(self.chosen_embedding(), &self.graph, &self.shared())?;
                Box::new(AffineAlignment::new(embedder).ridge(self.ridge.unwrap_or(0.0)).n_jobs(self.n_jobs))
            }
            MethodArg::Multiscale => {
                let over = if self.over == Some(OverArg::Instances) { Over::Instances } else { Over::Features };
                let construction = match self.construction {
                    None | Some(ConstructionArg::Auto) => Construction::Auto,
                    Some(ConstructionArg::Spectral) => Construction::Spectral,
                    Some(ConstructionArg::Recursion) => Construction::Recursion,
                };
                let mut method = MultiscaleAlignment::new().max_levels(self.max_levels).over(over).construction(construction);
                if let Some(precision) = self.precision {
                    method = method.precision(precision);
                }
                Box::new(with_graphs!(method.directed(self.directed).prepare(prepare), self))
            }
            MethodArg::PairSimilarity => Box::new(PairSimilarity::new().n_jobs(self.n_jobs)),
        })
    }
}
