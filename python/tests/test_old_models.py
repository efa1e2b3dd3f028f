"""Parameters of model files of earlier versions, under their present names."""

import json

import pytest

from landbridge import _landbridge as core


@pytest.mark.parametrize(
    ("method", "old", "new"),
    [
        ("multiscale", {"over": "instances", "precision": 0.01}, {"level": "instance", "precision": 0.01}),
        ("procrustes", {"embedding": "lpp", "ridge": 0.2}, {"embedding": "lpp", "embedding_ridge": 0.2}),
        (
            "affine",
            {"embedding": "lle", "ridge": 0.01, "affine_ridge": 0.3},
            {"embedding": "lle", "embedding_ridge": 0.01, "ridge": 0.3},
        ),
        ("cle", {"n_components": 2, "mu": 1.0, "hard": True}, {"n_components": 2}),
        ("linear", {"ridge": None, "no_such": 1}, {"ridge": None}),
    ],
)
def test_old_names_become_new_ones(method, old, new):
    assert json.loads(core.params_in_file(method, json.dumps(old))) == new
