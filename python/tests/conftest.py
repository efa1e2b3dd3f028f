"""Problems that many tests use."""

from __future__ import annotations

import numpy as np
import pytest

import landbridge as lb


@pytest.fixture(scope="session")
def rolls() -> lb.datasets.Synthetic:
    return lb.datasets.swiss_rolls(200, random_state=1)


@pytest.fixture(scope="session")
def pairs(rolls: lb.datasets.Synthetic) -> np.ndarray:
    return rolls.pairs(25)


@pytest.fixture(scope="session")
def fitted(rolls, pairs) -> lb.InstanceAlignment:
    return lb.InstanceAlignment(3).fit(dict(zip(["roll", "s"], rolls.datasets)), pairs)


@pytest.fixture(params=[lb.InstanceAlignment, lb.CLE], ids=["instance", "cle"])
def cls(request):
    return request.param
