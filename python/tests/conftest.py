"""Problems that many tests use."""

from __future__ import annotations

import numpy as np
import pytest

import landbridge as lb


#: Files that take more than five seconds each of a processor. `cargo xtask quick` leaves them out; `cargo xtask test` runs them.
SLOW = {
    "test_cells.py",
    "test_choose.py",
    "test_counts.py",
    "test_dask.py",
    "test_docs.py",
    "test_documents.py",
    "test_doors.py",
    "test_doors_differential.py",
    "test_embeddings.py",
    "test_formats.py",
    "test_links.py",
    "test_multiscale.py",
    "test_running.py",
    "test_stories.py",
    "test_transport.py",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name in SLOW:
            item.add_marker(pytest.mark.slow)


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
