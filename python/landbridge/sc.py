"""Single cells, in the manner of scverse: results are written into the AnnData objects.

>>> import landbridge as lb
>>> # a = lb.sc.align({"rna": rna, "atac": atac}, labels="cell_type")     # raw counts in X
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from ._alignment import Alignment
from ._cells import _as_dict, _names, _pick, from_anndata, is_anndata, is_mudata, to_anndata
from ._choose import align as _align
from ._data import _kind_of
from ._errors import DataError, ParameterError
from ._methods import SelfTraining
from .metrics import batch_mixing, label_transfer

__all__ = ["align", "report", "transfer_labels"]


def align(
    data: Any,
    pairs: Any = "names",
    *,
    method: Any = None,
    links: Any = None,
    layer: Any = None,
    use_rep: Any = None,
    labels: str | None = None,
    batch: str | None = None,
    key_added: str = "X_landbridge",
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Alignment:
    """Align the cells of several AnnData objects from raw counts, and write the result into them.

    Counts of genes, peaks and proteins are recognised and prepared (``prepare="auto"``, docs/single-cell.md). Methods are compared on
    held-out pairs and the best one is fitted to all of them, unless `method` is given.

    Parameters
    ----------
    data : a MuData object, or a dict or a list of AnnData objects; they may be backed
    pairs : "names": cells of the same name are the same cell; None: no pair is known; or pairs as `fit` takes them
    method : a method of landbridge, not fitted, such as ``lb.CCA(20)``; None chooses as `lb.align` does, or is ``lb.SelfTraining()`` if there
        are links
    links : columns that correspond, as `fit` takes them: ``"names"`` links proteins with their genes. Give ``pairs=None`` if the cells are
        not the same
    layer, use_rep : the layer or the representation to align instead of X; one name, or a dict by dataset
    labels : a column of `obs`. Cells of datasets without it, and cells where it is missing, get a label and its probability
    batch : a column of `obs` with the batch of each cell, such as its donor. Cells are centred within their batch; datasets without the
        column have none. How far batches mix before and after is in ``outcome_.batches`` and ``uns["landbridge"]["batches"]``
    key_added : the key in `obsm`
    random_state, n_jobs, verbose : as in `lb.align`

    Returns
    -------
    The fitted alignment. Each object has coordinates in ``obsm[key_added]`` and, in ``uns["landbridge"]``, the method, its
    parameters, the warnings and the verdict. With `labels`, ``obs["landbridge_<labels>"]`` and
    ``obs["landbridge_<labels>_probability"]`` hold what was transferred.
    """
    named = _objects(data)
    for what, column in (("labels", labels), ("batch", batch)):
        if column is not None and not any(column in adata.obs for adata in named.values()):
            known_columns = sorted({str(c) for adata in named.values() for c in adata.obs})
            raise DataError(f'no dataset has the column "{column}" in obs ({what})', f"there are {known_columns}")
    tables = {
        name: from_anndata(
            adata,
            use_rep=_of(use_rep, name),
            layer=_of(layer, name),
            labels=labels if labels is not None and labels in adata.obs else None,
            batch=batch if batch is not None and batch in adata.obs else None,
        )
        for name, adata in named.items()
    }
    known: Any = [] if pairs is None else pairs
    if method is None and links is not None:
        method = SelfTraining(random_state=random_state, n_jobs=n_jobs, verbose=verbose)
    if method is None:
        alignment = _align(tables, known, random_state=random_state, n_jobs=n_jobs, verbose=verbose)
    elif isinstance(method, Alignment):
        alignment = method.fit(tables, known, links=links)
    else:
        raise ParameterError(f"method is {_kind_of(method)}; it must be a method of landbridge, such as lb.CCA(20)")
    to_anndata(alignment, named, key=key_added)
    outcome = alignment.outcome_
    chosen = outcome.selection or {}
    verdict = {"verdict": chosen.get("verdict") or outcome.verdict or "", "pairs_from": pairs if isinstance(pairs, str) else "given"}
    trusted = chosen.get("trusted", outcome.trusted)
    if trusted is not None:
        verdict["trusted"] = bool(trusted)
    if pairs is None:
        verdict["pairs_from"] = "none"
    mixing = {found["dataset"]: {name: found[name] for name in ("before", "after", "expected")} for found in outcome.batches or []}
    if mixing:
        verdict["batches"] = mixing
    for adata in named.values():
        adata.uns["landbridge"] = {**adata.uns["landbridge"], **verdict, "key_added": key_added}
    if labels is not None:
        sources = [name for name, adata in named.items() if labels in adata.obs]
        for name, adata in named.items():
            if name != sources[0] and (labels not in adata.obs or adata.obs[labels].isna().any()):
                transfer_labels(alignment, named, labels, source=sources[0], target=name)
    return alignment


def report(
    alignment: Alignment,
    data: Any,
    path: Any = None,
    *,
    labels: str | None = None,
    batch: str | None = None,
    k: int = 30,
) -> dict[str, Any]:
    """What to publish about an alignment of cells: depth, labels, mixing of datasets and batches, the verdict.

    Parameters
    ----------
    alignment : fitted on `data`
    data : the MuData object, or the dict or list of AnnData objects, as in `align`
    path : also write the page of `lb.report` to this file
    labels : a column of `obs`; where two datasets have it, labels are transferred and compared
    batch : a column of `obs` with batches
    k : nearest cells that are looked at

    Returns
    -------
    dict
        ``datasets`` (by name: cells, features and, for counts in X, counts_per_cell, cells_without_counts, mitochondrial_share),
        ``modality_mixing`` (`lb.metrics.batch_mixing` of all cells by dataset), ``batch_mixing`` (by dataset), ``label_transfer`` (share of
        right labels by "source -> target", over the cells that have one), ``method``, ``verdict``, ``warnings``.
    """
    named = _as_dict(alignment, data)
    outcome = alignment.outcome_
    chosen = outcome.selection or {}
    found: dict[str, Any] = {
        "method": alignment._model.method,
        "verdict": chosen.get("verdict") or outcome.verdict or "",
        "warnings": list(outcome.warnings),
        "datasets": {name: _about_counts(adata) for name, adata in named.items()},
    }
    places = dict(zip(named, alignment.embeddings_))
    of = np.repeat(list(named), [len(Z) for Z in places.values()])
    found["modality_mixing"] = _mixing(np.concatenate(list(places.values())), of, k)
    if batch is not None:
        known = {name: adata.obs[batch] for name, adata in named.items() if batch in adata.obs}
        if not known:
            raise DataError(f'no dataset has the column "{batch}" in obs (batch)')
        found["batch_mixing"] = {name: _mixing(places[name], column, k) for name, column in known.items()}
    if labels is not None:
        have = [name for name, adata in named.items() if labels in adata.obs]
        if not have:
            raise DataError(f'no dataset has the column "{labels}" in obs (labels)')
        found["label_transfer"] = {}
        for source in have:
            for target in (name for name in have if name != source):
                (from_rows, ys), (to_rows, yt) = (_labelled(named[name], labels) for name in (source, target))
                score = label_transfer(places[source][from_rows], ys, places[target][to_rows], yt, k=min(15, len(ys)))
                found["label_transfer"][f"{source} -> {target}"] = score
    if path is not None:
        alignment.report(path)
    return found


def _mixing(Z: Any, batch: Any, k: int) -> dict[str, float]:
    score = batch_mixing(Z, batch, k=min(k, len(Z) - 1))
    return {"observed": score.observed, "expected": score.expected, "mixing": score.mixing}


def _labelled(adata: Any, labels: str) -> tuple[Any, list[str]]:
    column = adata.obs[labels]
    rows = np.flatnonzero(~column.isna().to_numpy())
    return rows, [str(value) for value in column.iloc[rows]]


def _about_counts(adata: Any) -> dict[str, Any]:
    """Cells, features and, where X holds counts, how deep and how mitochondrial they are."""
    found: dict[str, Any] = {"cells": int(adata.n_obs), "features": int(adata.n_vars)}
    if adata.X is None:
        return found
    X: Any = from_anndata(adata).X
    values = X.data if sparse.issparse(X) else np.asarray(X)
    if values.size and (values.min() < 0 or (values != np.floor(values)).any()):
        return found
    totals = np.asarray(X.sum(axis=1)).ravel()
    genes = np.array([name[:3].upper() == "MT-" for name in _names(adata.var_names)])
    found["counts_per_cell"] = float(np.median(totals))
    found["cells_without_counts"] = int((totals == 0).sum())
    if genes.any():
        found["mitochondrial_share"] = float(X[:, np.flatnonzero(genes)].sum() / max(totals.sum(), 1))
    return found


def transfer_labels(
    alignment: Alignment,
    data: Any,
    labels: str,
    *,
    source: int | str = 0,
    target: int | str = 1,
    k: int = 15,
    min_probability: float = 0.0,
    unknown: str = "unknown",
    key_added: str | None = None,
) -> Any:
    """Write labels of one dataset's cells to those of another, by the nearest cells in the joint space.

    Parameters
    ----------
    alignment : fitted on `data`
    data : the MuData object, or the dict or list of AnnData objects, as in `align`
    labels : the column of `obs` of the source, of any type; cells among cells where it is missing become `unknown`
    source, target : position or name
    k : nearest cells that vote
    min_probability : below this share of votes a cell is `unknown`
    unknown : what such a cell gets in a column of text or categories; in columns of numbers or truth values it is missing
    key_added : the column that is written, of the type of `labels`; None is ``"landbridge_<labels>"``. Its probability has the
        suffix ``"_probability"``

    Returns
    -------
    data
    """
    named = _as_dict(alignment, data)
    names = list(named)
    name = {role: at if isinstance(at, str) else names[at] for role, at in (("source", source), ("target", target))}
    for at in name.values():
        _pick(named, at, "dataset")
    column = _pick(named[name["source"]].obs, labels, "column of obs")
    if column.isna().all():
        raise DataError(f'the column "{labels}" of "{name["source"]}" is empty')
    # A file of cells cannot hold numbers and text in one column.
    text = getattr(column.dtype, "categories", column).dtype.kind not in "iufb"
    found, share = alignment.transfer_labels(
        column, name["source"], name["target"], k=k, min_probability=min_probability, unknown=unknown if text else None
    )
    key = f"landbridge_{labels}" if key_added is None else key_added
    obs = named[name["target"]].obs
    obs[key] = _column(found, column)
    obs[f"{key}_probability"] = share
    return data


def _column(found: Any, like: Any) -> Any:
    """Labels for a column of `obs`: those that are missing among numbers and truth values as pandas marks them."""
    if like.dtype.kind in "iufb" and getattr(found, "dtype", None) == object:
        kind = {"i": "Int64", "u": "UInt64", "f": "Float64", "b": "boolean"}[like.dtype.kind]
        return type(like)(list(found), dtype=kind).array
    return found


def _objects(data: Any) -> dict[str, Any]:
    if is_mudata(data):
        return dict(data.mod)
    named = dict(data) if isinstance(data, Mapping) else {str(i): one for i, one in enumerate(data)} if isinstance(data, (list, tuple)) else None
    if named is None or len(named) < 2:
        raise DataError(f"data is {_kind_of(data)}; it must be a MuData object, or a dict or list of two or more AnnData objects")
    for name, adata in named.items():
        if not is_anndata(adata):
            raise DataError(f'dataset "{name}" is {_kind_of(adata)}; it must be an AnnData object')
        twice = len(adata.var_names) - len(set(_names(adata.var_names)))
        if twice:
            raise DataError(f'dataset "{name}" has {twice} names of features more than once', "call adata.var_names_make_unique() first")
    return named


def _of(given: Any, name: str) -> Any:
    return given.get(name) if isinstance(given, Mapping) else given
