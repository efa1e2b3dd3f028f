"""Procrustes and affine alignment: known moves, SciPy's answers, what a model promises."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes
from scipy.spatial.transform import Rotation

import landbridge as lb
from landbridge import _landbridge as core


def pairs_of(count: int) -> np.ndarray:
    return np.column_stack([np.arange(count)] * 2)


@pytest.fixture
def chain() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = np.cumsum(rng.normal(size=(90, 3)), axis=0)
    Y = (X + 0.3 * rng.normal(size=X.shape)) @ Rotation.from_euler("xyz", [0.3, 1.2, -0.7]).as_matrix() / 4 + [5, 0, -9]
    return X, Y


def test_scale_and_rotation_equal_scipys(chain):
    X, Y = chain
    known = np.arange(0, 90, 4)
    a = lb.ProcrustesAlignment(embedding=None).fit([X, Y], np.column_stack([known, known]))
    Xc, Yc = X[known] - X[known].mean(axis=0), Y[known] - Y[known].mean(axis=0)
    Q, trace = orthogonal_procrustes(Yc, Xc)
    k = trace / np.sum(Yc**2)
    np.testing.assert_allclose(a.rotation_[1], Q, atol=1e-12)
    assert abs(a.scale_[1] / k - 1) < 1e-12 and a.scale_[0] == 1
    placed = k * (Y - Y[known].mean(axis=0)) @ Q + X[known].mean(axis=0)
    np.testing.assert_allclose(a.embeddings_[1], placed, atol=1e-10)
    np.testing.assert_array_equal(a.embeddings_[0], X)
    np.testing.assert_allclose(a.residuals_, np.linalg.norm(X[known] - placed[known], axis=1), atol=1e-10)
    np.testing.assert_allclose(a.scale_[1] * Y @ a.rotation_[1] + a.translation_[1], placed, atol=1e-10)
    np.testing.assert_allclose(a.transform(Y[3:5], dataset=1), placed[3:5], atol=1e-10)
    index, _ = a.match(source=0, target=1)
    assert np.mean(index.ravel() == np.arange(90)) > 0.8


def test_weighted_pairs_equal_scipys_kabsch(chain):
    X, Y = chain
    weights = np.linspace(0.1, 3, 90)
    table = np.column_stack([pairs_of(90), weights])
    a = lb.ProcrustesAlignment(embedding=None, reflection=False).fit([X, Y], {(0, 1): table})
    centre = lambda Z: Z - np.average(Z, axis=0, weights=weights)  # noqa: E731
    rotation, _ = Rotation.align_vectors(centre(X), centre(Y), weights=weights)
    np.testing.assert_allclose(a.rotation_[1], rotation.as_matrix().T, atol=1e-9)


def test_options(chain):
    X, Y = chain
    fixed = lb.ProcrustesAlignment(embedding=None, scaling=False).fit([X, Y], pairs_of(90))
    assert fixed.scale_[1] == 1
    mirrored = Y * [1, 1, -1]
    assert np.linalg.det(lb.ProcrustesAlignment(embedding=None).fit([X, mirrored], pairs_of(90)).rotation_[1]) < 0
    with pytest.warns(lb.AlignmentWarning, match="mirrored"):
        proper = lb.ProcrustesAlignment(embedding=None, reflection=False).fit([X, mirrored], pairs_of(90))
    assert np.linalg.det(proper.rotation_[1]) > 0
    with pytest.warns(lb.AlignmentWarning, match="span 1 of 3 dimensions"):
        lb.ProcrustesAlignment(embedding=None).fit([X, Y], pairs_of(2))
    with pytest.raises(lb.PairsError, match="coincide"):
        lb.ProcrustesAlignment(embedding=None).fit([X, Y], pairs_of(1))


def test_affine_equals_least_squares(chain):
    X, Y = chain
    Y = np.hstack([Y, Y[:, :1] ** 2])  # another number of columns
    a = lb.AffineAlignment(embedding=None).fit([X, Y], pairs_of(60))
    solution, *_ = np.linalg.lstsq(np.hstack([Y[:60], np.ones((60, 1))]), X[:60], rcond=None)
    np.testing.assert_allclose(a.rotation_[1], solution[:4], atol=1e-8)
    np.testing.assert_allclose(a.translation_[1], solution[4], atol=1e-7)
    ridge = lb.AffineAlignment(embedding=None, ridge=0.5).fit([X, Y], pairs_of(60))
    Xc, Yc = X[:60] - X[:60].mean(axis=0), Y[:60] - Y[:60].mean(axis=0)
    R = 0.5 * np.trace(Yc.T @ Yc) / 4 * np.eye(4)
    np.testing.assert_allclose(ridge.rotation_[1], np.linalg.solve(Yc.T @ Yc + R, Yc.T @ Xc), atol=1e-9)
    assert ridge.outcome_.ridge[1] == pytest.approx(R[0, 0])


@pytest.mark.parametrize("embedding", ["laplacian", "lpp", "pca", "lsi", "diffusion", "isomap", "lle", None])
@pytest.mark.parametrize("cls", [lb.ProcrustesAlignment, lb.AffineAlignment])
def test_every_embedding_saves_loads_pickles_and_transforms(cls, embedding, tmp_path):
    rolls = lb.datasets.swiss_rolls(200)
    X, Y = (Z + 40.0 for Z in rolls.datasets)
    own = {"diffusion": {"time": 2}, "lle": {"ridge": 0.01}, "lpp": {"ridge": 0.1}}.get(embedding)
    d = None if embedding is None else 2
    search = {"n_neighbors": 6} if embedding in ("laplacian", "lpp", "diffusion", "isomap", "lle") else {}
    a = cls(d, embedding=embedding, **search, embedding_params=own, random_state=0).fit([X, Y], rolls.pairs(30))
    path = tmp_path / "model.lb"
    a.save(path)
    loaded, pickled = lb.load(path), pickle.loads(pickle.dumps(a))
    assert loaded.embedding == embedding and loaded.n_components == d
    for name, value in (own or {}).items():
        assert loaded.get_params()[{"ridge": "embedding_ridge"}.get(name, name)] == value
    for b in (loaded, pickled):
        np.testing.assert_array_equal(b.transform(Y[:4], dataset=1), a.transform(Y[:4], dataset=1))
        np.testing.assert_array_equal(b.residuals_, a.residuals_)
    np.testing.assert_array_equal(loaded.fit([X, Y], rolls.pairs(30)).embeddings_[1], a.embeddings_[1])
    if embedding in ("lpp", "pca", "lsi", None):
        assert a.map(X[:3], source=0, target=1).shape == (3, 3)
        assert len(a.top_features(dataset=1, component=0, n=2)) == 2
    else:
        with pytest.raises(lb.UndefinedError):
            a.map(X[:3])


def test_a_parameter_of_another_embedding_is_told(chain):
    with pytest.warns(lb.AlignmentWarning, match="n_neighbors has no effect: the embedding 'pca' does not have it"):
        lb.ProcrustesAlignment(2, embedding="pca", n_neighbors=6).fit(list(chain), pairs_of(9))


def test_three_datasets_and_bad_parameters(chain):
    X, Y = chain
    Z = X[:, ::-1] * 2 - 1
    table = np.column_stack([np.arange(30)] * 3)
    a = lb.ProcrustesAlignment(embedding=None).fit({"x": X, "y": Y, "z": Z}, table)
    np.testing.assert_allclose(a.scale_, [1, 4, 0.5], rtol=0.05)
    assert len(a.residuals_) == 90
    fit = lambda **params: lb.ProcrustesAlignment(2, **params).fit([X, Y], pairs_of(9))  # noqa: E731
    for params, message in [
        ({"embedding": "umap"}, "embedding is"),
        ({"embedding": 3}, "embedding is 3"),
        ({"embedding": "pca", "embedding_params": {"time": 2}}, "has no parameter 'time'"),
        ({"embedding": "lle", "embedding_params": {"time": 2}}, "ridge"),
        ({"embedding": "lle", "embedding_params": {"ridge": -1.0}}, "ridge is -1"),
        ({"embedding": "diffusion", "embedding_params": {"density": 2.0}}, "density is 2"),
        ({"embedding": "pca", "prepare": "whiten"}, "prepare is 'whiten'"),
        ({"embedding": "isomap", "n_neighbors": 90}, "n_neighbors is 90"),
        ({"embedding": "pca", "scaling": "yes"}, "scaling is 'yes'"),
    ]:
        with pytest.raises(lb.ParameterError, match=message):
            fit(**params)
    with pytest.raises(lb.ParameterError, match="n_components is None"):
        lb.ProcrustesAlignment(embedding="pca").fit([X, Y], pairs_of(9))


def test_subspace_distance_and_bound():
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(30, 4)), rng.normal(size=(30, 4))
    P, Q = (M @ np.linalg.pinv(M) for M in (A, B))
    assert lb.metrics.subspace_distance(A, B) == pytest.approx(np.linalg.norm(P - Q, 2), abs=1e-12)
    near = A + 1e-9 * B
    assert lb.metrics.subspace_distance(A, near) < 1e-8
    assert lb.metrics.perturbation_bound(0.2, 500, 0.5) == pytest.approx(2 * 0.5 * 0.2 / (500 * (np.pi + 1)))
    with pytest.raises(lb.ParameterError):
        lb.metrics.perturbation_bound(0.2, 500, -1.0)
    with pytest.raises(lb.ParameterError):
        lb.metrics.perturbation_bound(0.2, 0, 0.5)
    with pytest.raises(lb.DataError):
        lb.metrics.subspace_distance(A, B[:5])


PROTEINS = Path(os.environ.get("LANDBRIDGE_DATA", "")) / "protein-nmr"


@pytest.mark.skipif(not (PROTEINS / "procrustes_expected.json").exists(), reason="LANDBRIDGE_DATA has no protein-nmr")
def test_proteins_have_the_expected_scale_and_rotation():
    import gzip

    expected = json.loads((PROTEINS / "procrustes_expected.json").read_text())
    R = np.array(expected["R"])
    for name, case in expected["cases"].items():
        with gzip.open(PROTEINS / f"{name}_ca.csv.gz", "rt") as lines:
            table = [line.rstrip("\n").split(",") for line in lines][1:]
        models = sorted({int(row[0]) for row in table})
        first, last = (np.array([row[4:7] for row in table if int(row[0]) == m], dtype=float) for m in (models[0], models[-1]))
        known = np.arange(0, len(first), 4)
        a = lb.ProcrustesAlignment(embedding=None).fit([4 * first, last @ R.T], np.column_stack([known, known]))
        assert len(known) == case["landmarks"]
        assert abs(a.scale_[1] - case["k"]) < 1e-9, name
        np.testing.assert_allclose(a.rotation_[1], case["Q"], atol=1e-9, err_msg=name)
