"""Single cells, in the manner of scverse: results are written into the AnnData objects.

>>> import landbridge as lb
>>> # a = lb.sc.align({"rna": rna, "atac": atac}, labels="cell_type")     # raw counts in X
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._alignment import Alignment
from ._cells import _as_dict, _names, _pick, from_anndata, is_anndata, is_mudata, to_anndata
from ._choose import align as _align
from ._data import _kind_of
from ._errors import DataError, ParameterError
from ._methods import SelfTraining

__all__ = ["align", "transfer_labels"]


def align(
    data: Any,
    pairs: Any = "names",
    *,
    method: Any = None,
    links: Any = None,
    layer: Any = None,
    use_rep: Any = None,
    labels: str | None = None,
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
    key_added : the key in `obsm`
    random_state, n_jobs, verbose : as in `lb.align`

    Returns
    -------
    The fitted alignment. Each object has coordinates in ``obsm[key_added]`` and, in ``uns["landbridge"]``, the method, its
    parameters, the warnings and the verdict. With `labels`, ``obs["landbridge_<labels>"]`` and
    ``obs["landbridge_<labels>_probability"]`` hold what was transferred.
    """
    named = _objects(data)
    tables = {
        name: from_anndata(adata, use_rep=_of(use_rep, name), layer=_of(layer, name)) for name, adata in named.items()
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
    for adata in named.values():
        adata.uns["landbridge"] = {**adata.uns["landbridge"], **verdict, "key_added": key_added}
    if labels is not None:
        sources = [name for name, adata in named.items() if labels in adata.obs]
        if not sources:
            known_columns = sorted({str(c) for adata in named.values() for c in adata.obs})
            raise DataError(f'no dataset has the column "{labels}" in obs', f"there are {known_columns}")
        for name, adata in named.items():
            if name != sources[0] and (labels not in adata.obs or adata.obs[labels].isna().any()):
                transfer_labels(alignment, named, labels, source=sources[0], target=name)
    return alignment


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
