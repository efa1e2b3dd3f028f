"""Dask arrays give what arrays in memory give."""

import numpy as np
import pytest
from scipy import sparse

import landbridge as lb

da = pytest.importorskip("dask.array")


@pytest.fixture(scope="module")
def views():
    rng = np.random.default_rng(5)
    latent = rng.normal(size=(300, 3)) * [3, 2, 1]
    x = latent @ rng.normal(size=(3, 6)) + 0.3 * rng.normal(size=(300, 6)) + 2
    y = latent @ rng.normal(size=(3, 6)) + 0.3 * rng.normal(size=(300, 6))
    return x, y


def chunked(views, rows=(70, 45)):
    return [da.from_array(v, chunks=(n, -1)) for v, n in zip(views, rows)]


METHODS = [lb.CCA(3), lb.LinearTransform(ridge=0.1), lb.ProcrustesAlignment(embedding=None)]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
def test_fits_are_those_of_arrays_in_memory(views, method):
    rng = np.random.default_rng(0)
    pairs = np.column_stack([rng.permutation(300)[:120]] * 2)
    for given in (None, pairs):
        table = np.column_stack([np.arange(300)] * 2) if given is None else given
        fitted = type(method)(**method.get_params()).fit(views, table)
        models = [lb.dask.fit(method, chunked(views, rows), given) for rows in ((70, 45), (300, 7))]
        assert models[0]._model.to_bytes() == models[1]._model.to_bytes()
        for dataset, rows in enumerate(views):
            np.testing.assert_allclose(models[0].transform(rows, dataset), fitted.transform(rows, dataset), rtol=0, atol=1e-9)


def test_transform_is_lazy_and_equal(views):
    a = lb.CCA(3, ridge=0.1).fit(views, np.column_stack([np.arange(300)] * 2))
    x, y = chunked(views)
    z = lb.dask.transform(a, y, dataset=1)
    assert z.chunks == (y.chunks[0], (3,)) and z.dtype == np.float64
    np.testing.assert_array_equal(z.compute(), a.transform(views[1], 1))
    with pytest.warns(lb.AlignmentWarning, match="chunks along its columns"):
        across = lb.dask.transform(a, da.from_array(views[0], chunks=(100, 2)), "0")
    np.testing.assert_array_equal(across.compute(), a.transform(views[0], 0))
    with pytest.raises(lb.DataError, match="fitted with 6 features"):
        lb.dask.transform(a, y[:, :5], dataset=0)


def test_match_is_exact(views):
    a = lb.CCA(3, ridge=0.1).fit(views, np.column_stack([np.arange(300)] * 2))
    x, y = chunked(views)
    for how in ("nearest", "csls"):
        index, distance = lb.dask.match(a, x, k=4, how=how)
        expected = a.match(views[0], k=4, how=how)
        np.testing.assert_array_equal(index.compute(), expected[0])
        np.testing.assert_array_equal(distance.compute(), expected[1])
    for metric in (None, "euclidean"):
        index, distance = lb.dask.match(a, x, k=4, y=y, metric=metric)
        expected = a.match(views[0], k=4, metric=metric)
        np.testing.assert_array_equal(index.compute(), expected[0])
        np.testing.assert_allclose(distance.compute(), expected[1], rtol=0, atol=1e-12)
    # The same from the other side, of rows that occur twice: ties go by number.
    twice = da.concatenate([x[:20], x[:20]])
    index = lb.dask.match(a, y[:5], 1, 0, k=3, y=twice.rechunk((7, -1)))[0].compute()
    assert (index[:, 1] == index[:, 0] + 20).all()
    index, distance = lb.dask.match(a, x[:130], k=4, y=y, how="csls")
    expected = lb.match_rows(a.transform(views[0][:130], 0), a.transform(views[1], 1), k=4, how="csls")
    np.testing.assert_array_equal(index.compute(), expected[0])
    np.testing.assert_allclose(distance.compute(), expected[1], rtol=0, atol=1e-12)
    with pytest.raises(lb.ParameterError, match="how is"):
        lb.dask.match(a, x, y=y, how="mutual")
    with pytest.raises(lb.ParameterError, match="k is 301"):
        lb.dask.match(a, x, y=y, k=301)


def test_evaluate_counts_as_metrics_do(views):
    a = lb.CCA(3, ridge=0.1).fit(views, np.column_stack([np.arange(300)] * 2))
    found = lb.dask.evaluate(a, *chunked(views), k=(1, 5))
    z = [a.transform(rows, i) for i, rows in enumerate(views)]
    expected = lb.metrics.recall_at_k(*z, k=(1, 5), metric="cosine")
    assert found["pairs"] == 300
    np.testing.assert_array_equal([found["recall_at_1"], found["recall_at_5"]], expected)
    same = np.ones((10, 6)) + np.arange(6)
    constant = lb.dask.evaluate(a, *[da.from_array(v, chunks=(3, -1)) for v in (same, np.ones((10, 6)))], k=1)
    assert constant["recall_at_1"] == 0  # ties count against
    some = lb.dask.evaluate(a, *chunked(views), truth=[[7, 7], [3, 3]])
    assert some["pairs"] == 2


def test_tables_and_sparse_chunks(views):
    dd = pytest.importorskip("dask.dataframe")
    import pandas as pd

    x, y = views
    frame = dd.from_pandas(pd.DataFrame(x, columns=list("abcdef")), npartitions=3)
    a = lb.dask.fit(lb.CCA(2, ridge=0.1), {"en": frame, "it": chunked(views)[1]})
    assert a.columns_[0] == list("abcdef") and a.names_ == ["en", "it"]
    np.testing.assert_array_equal(lb.dask.transform(a, frame, "en").compute(), a.transform(x, "en"))
    with pytest.warns(lb.AlignmentWarning, match="matched by name"):
        turned = lb.dask.transform(a, frame[list("fedcba")], "en")
    np.testing.assert_array_equal(turned.compute(), a.transform(x, "en"))
    with pytest.raises(lb.DataError, match="missing"):
        lb.dask.transform(a, frame.rename(columns={"a": "z"}), "en")
    with pytest.warns(lb.AlignmentWarning, match="the index is not looked at"):
        lb.dask.fit(lb.CCA(2, ridge=0.1), {"en": frame, "it": dd.from_pandas(pd.DataFrame(y).rename(columns=str), npartitions=2)})
    thin = chunked(views)[1].map_blocks(sparse.csr_matrix)
    b = lb.dask.fit(lb.CCA(2, ridge=0.1), [chunked(views)[0], thin])
    np.testing.assert_allclose(b.eigenvalues_, a.eigenvalues_, rtol=0, atol=1e-12)


def test_what_is_refused(views):
    x, y = chunked(views)
    with pytest.raises(lb.PairsError, match="only one dataset has an entry"):
        lb.dask.fit(lb.CCA(2), [x, y], [[0, -1], [1, 2]])
    with pytest.raises(lb.UndefinedError, match="needs the rows in one place"):
        lb.dask.fit(lb.LinearAlignment(2), [x, y])
    with pytest.raises(lb.DataError, match="must be a dask array"):
        lb.dask.fit(lb.CCA(2), [views[0], y])
    with pytest.raises(lb.PairsError, match="one by one"):
        lb.dask.fit(lb.CCA(2), [x[:10], y])
    with pytest.raises(lb.PairsError, match="out of range"):
        lb.dask.fit(lb.CCA(2), [x, y], [[0, 300]])
    with pytest.raises(lb.PairsError, match="row numbers"):
        lb.dask.fit(lb.CCA(2), [x, y], [[0.5, 1]])


def test_workers_without_landbridge_are_named(views):
    class Client:
        """Two workers, on one of which landbridge is not installed."""

        def run(self, function, *arguments):
            return {"tcp://10.0.0.1:1": function(*arguments), "tcp://10.0.0.2:1": function("no_such_library")}

    with pytest.raises(lb.LandbridgeError, match="workers without landbridge: tcp://10.0.0.2:1"):
        lb.dask.fit(lb.CCA(2), chunked(views), client=Client())


def test_a_cluster_of_two_processes(views):
    distributed = pytest.importorskip("distributed")
    x, y = chunked(views)
    a = lb.dask.fit(lb.CCA(3), [x, y])
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        b = lb.dask.fit(lb.CCA(3), [x, y], client=client)
        assert b._model.to_bytes() == a._model.to_bytes()
        np.testing.assert_array_equal(lb.dask.transform(b, x).compute(), a.transform(views[0], 0))
        index, _ = lb.dask.match(b, x, y=y, k=2)
        np.testing.assert_array_equal(index.compute(), lb.dask.match(a, x, y=y, k=2)[0].compute(scheduler="synchronous"))


def test_a_solved_model_is_refused_before_the_work(views):
    x, y = chunked(views)
    a = lb.dask.fit(lb.CCA(3), [x, y])
    with pytest.raises(lb.UndefinedError, match="match without y is not defined") as error:
        lb.dask.match(a, x)
    assert "y=y" in str(error.value)
    fitted = lb.CCA(3, ridge=0.1).fit(views, np.column_stack([np.arange(300)] * 2))
    with pytest.raises(lb.ParameterError, match="there are 300 rows to match with"):
        lb.dask.match(fitted, x, k=301)


def test_self_training_on_a_sample_then_all_rows():
    rng = np.random.default_rng(2)
    n = 1500
    latent = rng.gamma(1.0, size=(n, 8)) ** 1.5
    x = latent @ rng.normal(size=(8, 24)) + 0.2 * rng.normal(size=(n, 24))
    order = rng.permutation(n)
    y = (latent @ rng.normal(size=(8, 20)) + 0.2 * rng.normal(size=(n, 20)))[order]
    partner = np.argsort(order)
    known = np.column_stack([np.arange(8), partner[:8]])
    arrays = {"a": da.from_array(x, chunks=(700, -1)), "b": da.from_array(y, chunks=(1100, -1))}
    a = lb.dask.fit(lb.SelfTraining(random_state=0), arrays, known, sample=900)
    assert isinstance(a, lb.CCA) and isinstance(a.sample_, lb.SelfTraining) and a.names_ == ["a", "b"]
    assert a.sample_.embeddings_[0].shape[0] == 900
    # The given pairs hold, nothing occurs twice, and what was found is mostly right.
    pairs = a.pairs_
    assert (pairs[np.isin(pairs[:, 0], known[:, 0])] == known).all()
    assert all(len(np.unique(pairs[:, side])) == len(pairs) for side in (0, 1))
    right = (partner[pairs[:, 0]] == pairs[:, 1]).mean()
    recall = lb.dask.evaluate(a, *arrays.values(), truth=np.column_stack([np.arange(n), partner]), k=1)["recall_at_1"]
    alone = lb.dask.fit(lb.CCA(8), arrays, known)
    before = lb.dask.evaluate(alone, *arrays.values(), truth=np.column_stack([np.arange(n), partner]), k=1)["recall_at_1"]
    assert right > 0.9 and recall > 0.8 and recall > before, (right, recall, before)
    # The same bytes with other chunks.
    other = {"a": da.from_array(x, chunks=(1500, -1)), "b": da.from_array(y, chunks=(512, -1))}
    b = lb.dask.fit(lb.SelfTraining(random_state=0), other, known, sample=900)
    assert b._model.to_bytes() == a._model.to_bytes()
    with pytest.raises(lb.ParameterError, match="CCA sees all rows"):
        lb.dask.fit(lb.CCA(8), arrays, known, sample=100)
    with pytest.raises(lb.UndefinedError, match="base LinearAlignment from dask arrays"):
        lb.dask.fit(lb.SelfTraining(base=lb.LinearAlignment(5)), arrays, known)


def test_killed_workers_change_nothing():
    """Two worker processes, one of which is killed while the work goes on: the same bytes, or an error of Dask's."""
    pytest.importorskip("distributed")
    from kill_workers import killed

    found = killed(kills=2, rows=20_000, columns=32)
    assert found["kills"] >= 2 and found["wrong"] == 0 and found["same"] > 0, found
