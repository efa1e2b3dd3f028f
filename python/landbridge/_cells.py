"""AnnData and MuData as datasets, pairs from the names of their cells, and results written to `obsm`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _data
from . import _landbridge as _core
from ._alignment import Alignment
from ._errors import DataError, PairsError, ParameterError
from ._landbridge import __version__
from ._tables import Table


def is_anndata(value: Any) -> bool:
    return _data._is(value, "anndata", "AnnData")


def is_mudata(value: Any) -> bool:
    return _data._is(value, "mudata", "MuData")


def from_anndata(
    adata: Any, *, use_rep: str | None = None, layer: str | None = None, labels: str | None = None, batch: str | None = None
) -> Table:
    """An AnnData object as a dataset.

    `fit` takes AnnData objects directly and uses their X; use this function for other parts.

    Parameters
    ----------
    adata : AnnData
    use_rep : a representation in `obsm` instead of X, such as "X_pca"
    layer : a layer instead of X
    labels : a column of `obs` to keep as labels
    batch : a column of `obs` with the batch of each cell, such as its donor

    Returns
    -------
    Table
        Names of cells are the row ids, names of genes are the columns (a representation has columns only if it is a table).
    """
    if not is_anndata(adata):
        raise DataError(f"adata is {_data._kind_of(adata)}; it must be an AnnData object")
    if use_rep is not None and layer is not None:
        raise ParameterError("use_rep and layer are both given; give only one")
    if use_rep not in (None, "X"):
        X, columns = _pick(adata.obsm, use_rep, "representation"), None
    elif layer not in (None, "X"):
        X, columns = _pick(adata.layers, layer, "layer"), _names(adata.var_names)
    else:
        X, columns = adata.X, _names(adata.var_names)
        if X is None:
            known = ", ".join([f'layer="{k}"' for k in adata.layers] + [f'use_rep="{k}"' for k in adata.obsm])
            raise DataError("this AnnData has no X", f"choose one of {known} in from_anndata" if known else None)
    if hasattr(X, "to_memory"):  # sparse and on disk
        X = X.to_memory()
    elif hasattr(X, "compute"):  # lazy: blocks that dask reads on demand
        X = X.compute()
    elif _data._is(X, "h5py", "Dataset") or _data._is(X, "zarr", "Array"):
        X = X[...]
    kept = None
    if labels is not None:
        column = _pick(adata.obs, labels, "column of obs")
        kept = ["" if missing else str(value) for value, missing in zip(column, column.isna())]
    batches = None if batch is None else _data.batch_names(f'the column "{batch}" of obs', _pick(adata.obs, batch, "column of obs"))
    return Table(X, _names(adata.obs_names), columns, kept, None, True, batch=batches)


def from_mudata(mdata: Any, *, use_rep: Any = None, layer: Any = None) -> dict[str, Table]:
    """The modalities of the MuData object `mdata` as datasets, by name.

    `fit` takes MuData objects directly and uses X of each modality. Here `use_rep` and `layer` are one name for all modalities,
    or a dict of names by modality.
    """
    if not is_mudata(mdata):
        raise DataError(f"mdata is {_data._kind_of(mdata)}; it must be a MuData object")

    def of(given: Any, name: str) -> Any:
        return given.get(name) if isinstance(given, Mapping) else given

    for given in (use_rep, layer):
        if isinstance(given, Mapping):
            for name in given:
                _pick(mdata.mod, name, "modality")
    return {name: from_anndata(adata, use_rep=of(use_rep, name), layer=of(layer, name)) for name, adata in mdata.mod.items()}


def _names(index: Any) -> list[str]:
    return [str(name) for name in index]


def _pick(holder: Any, name: str, kind: str) -> Any:
    if name not in holder:
        known = ", ".join(f'"{key}"' for key in holder.keys()) or "none at all"
        raise DataError(f'there is no {kind} "{name}"; there are {known}')
    return holder[name]


def _paired_by_name(dataset: Any) -> bool:
    return is_anndata(dataset) or (isinstance(dataset, Table) and dataset.pair_by_id and dataset.row_ids is not None)


def shared_names(given: Any, data: Sequence[_core.Dataset]) -> Any:
    """Pairs from names of cells, if all datasets are AnnData objects or come from them; None if there are no pairs.

    Cells with the same name in several datasets are the same cell. A name that occurs twice in a dataset makes no pair there.
    Names that are mere row numbers, the default of AnnData objects, make no pairs.
    """
    if not is_mudata(given):
        values = list(given.values()) if isinstance(given, Mapping) else list(given)
        if not values or not all(map(_paired_by_name, values)):
            return None
    table, repeated, numbers = _core.shared_ids([dataset.row_ids for dataset in data])
    if not len(table):
        return None
    return (len(table),) if numbers and not is_mudata(given) else (table, repeated, numbers)


def by_names(data: Sequence[_core.Dataset]) -> Any:
    """Pairs from equal names of rows, for pairs="names"."""
    table, repeated, numbers = _core.shared_ids([dataset.row_ids for dataset in data])
    if not len(table):
        raise PairsError('pairs is "names", but no name of a row occurs once in each of two datasets', "give pairs as row numbers")
    return table, repeated, numbers


def to_anndata(alignment: Alignment, adatas: Any, *, key: str = "X_landbridge") -> Any:
    """Write the joint space into AnnData objects, in place.

    Parameters
    ----------
    alignment : a fitted alignment
    adatas : the AnnData objects it was fitted on, in a list or a dict as in `fit`, or the MuData object
    key : the key in `obsm`

    Returns
    -------
    adatas
        Each has its coordinates in ``obsm["X_landbridge"]``, which ``scanpy.pl.embedding(adata, "X_landbridge", color=...)``
        draws, and a description of the fit in ``uns["landbridge"]``.
    """
    model = alignment._fitted("write to AnnData")
    named = _as_dict(alignment, adatas)
    for a, (name, adata) in enumerate(named.items()):
        Z = alignment.embeddings_[a]
        if adata.n_obs != len(Z):
            raise DataError(f'dataset "{name}" was fitted with {len(Z)} rows, this AnnData has {adata.n_obs}')
        fitted = model.row_ids(a)
        if fitted is not None:
            for i, (there, here) in enumerate(zip(fitted, adata.obs_names)):
                if there != str(here):
                    raise DataError(
                        f'dataset "{name}": row {i} was "{there}" when it was fitted, here it is "{here}"',
                        "give the objects as they were fitted, not sorted or subset differently",
                    )
    about = _about(alignment, model)
    for a, (name, adata) in enumerate(named.items()):
        adata.obsm[key] = alignment.embeddings_[a].copy()
        adata.uns["landbridge"] = {**about, "dataset": name}
    return adatas


def _as_dict(alignment: Alignment, adatas: Any) -> dict[str, Any]:
    names = alignment.names_
    if is_mudata(adatas):
        adatas = dict(adatas.mod)
    if isinstance(adatas, Mapping):
        if list(adatas) != names:
            raise DataError(f"adatas are {list(adatas)}; the alignment was fitted on {names}")
        found = dict(adatas)
    elif isinstance(adatas, (list, tuple)) and len(adatas) == len(names):
        found = dict(zip(names, adatas))
    else:
        raise DataError(f"adatas must be a list or dict of the {len(names)} AnnData objects, or a MuData object")
    for name, adata in found.items():
        if not is_anndata(adata):
            raise DataError(f'dataset "{name}" is {_data._kind_of(adata)}; it must be an AnnData object')
    return found


def _about(alignment: Alignment, model: _core.Model) -> dict[str, Any]:
    """A description of the fit, in values that an h5ad file can hold."""
    params = {k: v for k, v in json.loads(model.params).items() if isinstance(v, (str, bool, int, float))}
    outcome = alignment.outcome_
    return {
        "method": model.method,
        "params": params,
        "datasets": np.array(alignment.names_, dtype=object),
        "eigenvalues": alignment.eigenvalues_.copy(),
        "status": outcome.status,
        "solver": outcome.solver,
        "residual": outcome.residual,
        "warnings": np.array(outcome.warnings, dtype=object),
        "version": __version__,
    }
