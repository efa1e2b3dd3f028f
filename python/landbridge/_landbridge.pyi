"""The compiled part; see crates/landbridge-py."""

from typing import Any

import numpy as np
import numpy.typing as npt

__version__: str

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]

class Dataset:
    @staticmethod
    def dense(name: str, rows: npt.NDArray[Any], row_ids: list[str] | None = None, columns: list[str] | None = None) -> Dataset: ...
    @staticmethod
    def sparse(
        name: str,
        indptr: npt.NDArray[Any],
        indices: npt.NDArray[Any],
        values: _Floats,
        ncols: int,
        row_ids: list[str] | None = None,
        columns: list[str] | None = None,
    ) -> Dataset: ...
    def set_recipe(self, recipe: str) -> None: ...
    def set_partly_known(self) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def kind(self) -> str: ...
    @property
    def row_ids(self) -> list[str] | None: ...
    @property
    def columns(self) -> list[str] | None: ...

class Model:
    @staticmethod
    def from_bytes(bytes: bytes, path: str) -> Model: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: str) -> None: ...
    @property
    def method(self) -> str: ...
    @property
    def params(self) -> str: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def n_features(self) -> list[int]: ...
    @property
    def eigenvalues(self) -> _Floats: ...
    def embedding(self, position: int) -> _Floats: ...
    def row_ids(self, position: int) -> list[str] | None: ...
    def columns(self, position: int) -> list[str] | None: ...
    @property
    def levels(self) -> list[tuple[int, int, float]] | None: ...
    @property
    def level(self) -> int | None: ...
    def at_level(self, level: int) -> Model: ...
    def parents(self, level: int) -> list[int]: ...
    def aligned_topics(
        self, topics: list[_Floats], n: int
    ) -> list[tuple[list[list[tuple[int, float]]], float | None, int | None]]: ...
    def outcome(self) -> dict[str, Any]: ...
    def paired_fit(self) -> tuple[_Floats, list[_Floats], list[_Floats], _Floats] | None: ...
    def position(self, dataset: int | str) -> int: ...
    def transform_array(self, rows: Any, position: int, n_jobs: int, verbose: bool) -> _Floats: ...
    def transform(self, rows: Dataset, position: int, n_jobs: int, verbose: bool) -> _Floats: ...
    def match_rows(
        self,
        rows: Dataset | None,
        source: int,
        target: int,
        k: int,
        how: str,
        metric: str | None,
        n_jobs: int,
        verbose: bool,
    ) -> tuple[_Ints, _Floats]: ...
    def map(self, rows: Dataset, source: int, target: int, original: bool, n_jobs: int) -> _Floats: ...
    def map_array(self, rows: Any, source: int, target: int, original: bool, n_jobs: int) -> _Floats: ...
    def export(self, path: str, source: int, target: int | None) -> None: ...
    def check_drift(self, rows: Dataset, position: int, seed: int) -> str: ...
    def feature_map(self, position: int) -> _Floats: ...
    def sparse_map(self, position: int) -> tuple[_Ints, _Ints, _Floats]: ...
    def sparse_fit(self) -> dict[str, list[float]] | None: ...
    @property
    def component_weights(self) -> _Floats | None: ...
    def top_features(self, position: int, component: int, n: int) -> list[tuple[int, str | None, float]]: ...

class Wavelets:
    @staticmethod
    def build(
        operator: _Floats | tuple[Any, Any, Any, int],
        precision: float,
        max_levels: int | None,
        construction: str,
        n_jobs: int,
    ) -> Wavelets: ...
    @property
    def levels(self) -> list[tuple[int, int, float]]: ...
    @property
    def norm(self) -> float: ...
    @property
    def rescaled(self) -> bool: ...
    @property
    def construction(self) -> str: ...
    def basis(self, level: int) -> _Floats: ...
    def sparse_basis(self, level: int) -> tuple[_Ints, _Ints, _Floats]: ...
    def step(self, level: int) -> tuple[_Ints, _Ints, _Floats]: ...

class Synthetic:
    @staticmethod
    def generate(kind: str, options: dict[str, Any]) -> Synthetic: ...
    @property
    def names(self) -> list[str]: ...
    def rows(self, position: int) -> Any: ...
    def labels(self, position: int) -> list[str] | None: ...
    def columns(self, position: int) -> list[str] | None: ...
    @property
    def truth(self) -> _Ints: ...
    @property
    def latent(self) -> _Floats: ...
    def pairs(self, count: int, random_state: int) -> _Ints: ...
    def counterparts(self, source: int, target: int) -> _Ints: ...

def fit(
    method: str,
    params: dict[str, Any],
    datasets: list[Dataset],
    pairs: None | tuple[_Ints, _Floats | None] | list[tuple[int, int, _Ints, _Ints, _Floats]],
    n_jobs: int,
    verbose: bool,
) -> Model: ...
def fit_path(
    params: dict[str, Any],
    datasets: list[Dataset],
    pairs: None | tuple[_Ints, _Floats | None] | list[tuple[int, int, _Ints, _Ints, _Floats]],
    alphas: list[float],
    n_jobs: int,
    verbose: bool,
) -> list[Model]: ...
def held_out_path(
    params: dict[str, Any],
    datasets: list[Dataset],
    pairs: None | tuple[_Ints, _Floats | None] | list[tuple[int, int, _Ints, _Ints, _Floats]],
    alphas: list[float],
    held_out: float,
    n_jobs: int,
    verbose: bool,
) -> tuple[list[tuple[float, list[int], float, float]], int]: ...
def regress(
    rows: Dataset,
    targets: _Floats,
    penalty: str,
    strengths: list[tuple[float, float, float]],
    tolerance: float,
    n_jobs: int,
    groups: list[list[int]] | None = None,
) -> list[tuple[tuple[_Ints, _Ints, _Floats], dict[str, Any]]]: ...
def total_variation(signal: _Floats, strength: float) -> _Floats: ...
def line_chart(
    title: str,
    subtitle: str,
    axes: tuple[str, str],
    curves: list[tuple[str, list[float], list[float]]],
    log_x: bool = True,
    y_range: tuple[float, float] = (0.0, 1.0),
) -> str: ...
def task_facts(name: str, params: dict[str, Any]) -> tuple[int, float, int, list[float]]: ...
def random_walks(
    name: str, params: dict[str, Any], episodes: int, random_state: int
) -> tuple[_Floats, _Ints, _Floats, _Floats, npt.NDArray[np.bool_]]: ...
def spread(rows: _Floats, count: int) -> _Ints: ...
def policy_iteration(
    features: _Floats,
    actions: _Ints,
    rewards: _Floats,
    next_features: _Floats,
    ended: npt.NDArray[np.bool_],
    n_actions: int,
    discount: float,
    max_iterations: int,
    ridge: float,
    n_jobs: int,
) -> tuple[_Floats, int, bool]: ...
def policy_steps(
    name: str,
    params: dict[str, Any],
    sensor: Sensor,
    model: Model,
    dataset: int,
    weights: _Floats,
    episodes: int,
    random_state: int,
    n_jobs: int,
) -> _Ints: ...

class Sensor:
    def __init__(
        self,
        name: str,
        params: dict[str, Any],
        stretch: list[float],
        features: int,
        bend: float,
        random_state: int,
    ) -> None: ...
    def observe(self, states: _Floats) -> _Floats: ...

def embed(embedding: str, params: dict[str, Any], dataset: Dataset, n_jobs: int, verbose: bool) -> Model: ...
def geodesic_distances(
    rows: Dataset, n_neighbors: int, metric: str, search: str, random_state: int, single: bool, n_jobs: int
) -> tuple[npt.NDArray[Any], int, int]: ...
def graph_distances(indptr: Any, indices: Any, values: Any, single: bool, n_jobs: int) -> npt.NDArray[Any]: ...
def min_plus(a: _Floats, b: _Floats, n_jobs: int) -> _Floats: ...
def joint_distances(distances: list[_Floats], pairs: _Ints, n_jobs: int) -> tuple[_Floats, _Floats]: ...
def subspace_distance(a: _Floats, b: _Floats) -> float: ...
def perturbation_bound(eigengap: float, n: int, epsilon: float) -> float: ...
def evaluate(
    model: Model, datasets: list[Dataset], truth: Any, ks: list[int], metric: str | None, n_jobs: int
) -> str: ...
def transfer_labels(
    model: Model,
    labels: list[str] | None,
    source: int,
    target: int,
    k: int,
    metric: str | None,
    min_probability: float,
    n_jobs: int,
) -> tuple[list[str | None], _Floats]: ...
def without_rows(model: Model) -> Model: ...
def report(
    model: Model, datasets: list[Dataset] | None, stand_ins: list[Dataset], truth: Any, options: dict[str, Any]
) -> tuple[str, list[str]]: ...
def summary_html(model: Model, n_jobs: int) -> str: ...
def declarations() -> str: ...
def votes(model: Model, position: int) -> _Floats: ...
def params_in_file(method: str, params: str) -> str: ...
def load(path: str) -> Model: ...
def read_file(
    path: str, options: dict[str, Any], like: tuple[Model, int] | None = None
) -> tuple[
    npt.NDArray[Any] | tuple[tuple[_Ints, _Ints, _Floats], int],
    list[str] | None,
    list[str] | None,
    list[str] | None,
    str | None,
    list[str],
]: ...
def modalities(path: str) -> list[str]: ...
def write_text(path: str, text: str) -> None: ...
def shared_ids(ids: list[list[str] | None]) -> tuple[_Ints, int, bool]: ...
def row_numbers(dataset: str, nrows: int, ids: list[str] | None, cells: list[int | str | None]) -> _Ints: ...
def columns_like(rows: Dataset, columns: list[str]) -> tuple[Dataset, list[str]]: ...
def knn(
    rows: Dataset, n_neighbors: int, metric: str, search: str, random_state: int, n_jobs: int
) -> tuple[_Ints, _Floats]: ...
def check_pairs(
    base: tuple[str, dict[str, Any]] | None,
    datasets: list[Dataset],
    pairs: Any,
    folds: int,
    n_suggestions: int,
    random_state: int,
    n_jobs: int,
    verbose: bool,
) -> tuple[list[float], float, list[int], bool, list[tuple[int, int]], str]: ...
def trust(
    base: tuple[str, dict[str, Any]],
    datasets: list[Dataset],
    pairs: Any,
    folds: int,
    random_state: int,
    n_jobs: int,
    verbose: bool,
) -> dict[str, Any]: ...
def entropic_gw(
    c1: _Floats, c2: _Floats, epsilon: float, max_iterations: int, tolerance: float, n_jobs: int, verbose: bool
) -> tuple[_Floats, dict[str, Any]]: ...
def infer_pairs(
    datasets: list[Dataset],
    distances: list[_Floats],
    n_neighbors: int,
    keep: int,
    metric: str,
    delta: float | None,
    rigid: bool | None,
    random_state: int,
    n_jobs: int,
    verbose: bool,
) -> tuple[_Ints, _Floats, list[tuple[int, int] | None], list[str]]: ...
def transport_pairs(
    datasets: list[Dataset],
    distances: list[_Floats],
    n_neighbors: int | None,
    keep: int,
    metric: str | None,
    epsilon: float,
    landmarks: int,
    random_state: int,
    n_jobs: int,
    verbose: bool,
) -> tuple[_Ints, _Floats, list[tuple[int, int] | None], list[str]]: ...
def pattern_distances(x: Dataset, y: Dataset, n_neighbors: int, metric: str, n_jobs: int) -> _Floats: ...
def match_rows(
    source: _Floats, target: _Floats, k: int, how: str, metric: str, n_jobs: int
) -> tuple[_Ints, _Floats]: ...
def similarity_graph(
    rows: Dataset,
    n_neighbors: int,
    metric: str,
    weights: str,
    heat_width: float | None,
    search: str,
    random_state: int,
    n_jobs: int,
) -> tuple[_Ints, _Ints, _Floats]: ...
def recall_at_k(source: _Floats, target: _Floats, ks: list[int], truth: _Ints | None, metric: str) -> list[float]: ...
def foscttm(source: _Floats, target: _Floats, truth: _Ints | None, metric: str) -> float: ...
def label_transfer(
    source: _Floats, source_labels: list[int], target: _Floats, target_labels: list[int], k: int, metric: str
) -> float: ...
def topic_tree(model: Model, topics: list[_Floats], words: list[list[str]], n: int, max_nodes: int) -> str: ...
def mmae(predicted: _Floats, indptr: npt.NDArray[Any], indices: npt.NDArray[Any], values: _Floats, ncols: int) -> float: ...
def mvu(
    distances: _Floats,
    edges: npt.NDArray[np.uint32],
    equality: bool,
    solver: str,
    tolerance: float,
    n_functions: int,
    n_jobs: int,
    verbose: bool,
) -> tuple[_Floats, dict[str, Any]]: ...
def _panic_for_tests() -> None: ...

def align(
    datasets: list[Dataset],
    pairs: Any,
    folds: int | None,
    scoring: str,
    groups: list[list[int]] | None,
    random_state: int,
    n_jobs: int,
    verbose: bool,
) -> tuple[Model, str]: ...
def bridge(
    datasets: list[Dataset],
    pairs: Any,
    folds: int | None,
    curve: bool,
    random_state: int,
    n_jobs: int,
    verbose: bool,
) -> Model: ...
def compare(
    candidates: list[tuple[str, str, dict[str, Any]]],
    datasets: list[Dataset],
    pairs: Any,
    folds: int,
    scoring: str,
    groups: list[list[int]] | None,
    resume: str | None,
    random_state: int,
    n_jobs: int,
    verbose: bool,
) -> str: ...
def tune(
    name: str,
    params: dict[str, Any],
    datasets: list[Dataset],
    pairs: Any,
    space: list[tuple[str, Any]] | None,
    n_trials: int,
    folds: int,
    outer: int,
    scoring: str,
    groups: list[list[int]] | None,
    random_state: int,
    n_jobs: int,
    verbose: bool,
) -> str: ...
def plan(name: str, params: dict[str, Any], datasets: list[Dataset], pairs: Any) -> tuple[str, str]: ...
def set_max_memory(size: str | None) -> int | None: ...
