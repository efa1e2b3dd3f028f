"""The words that parameters take, as types: an editor completes them, mypy refuses others."""

from __future__ import annotations

from typing import Literal

Metric = Literal["euclidean", "cosine"]
MetricOrGiven = Literal["euclidean", "cosine", "precomputed"]
How = Literal["nearest", "csls", "mutual", "assignment"]
Search = Literal["auto", "exact", "approximate"]
Weights = Literal["auto", "heat", "binary", "cosine", "local", "precomputed"]
Scoring = Literal["auto", "recall_at_1", "recall_at_5", "recall_at_10", "mrr", "foscttm"]
Inference = Literal["patterns", "transport"]
Keep = Literal["mutual"]
Construction = Literal["auto", "spectral", "recursion"]
UnfoldingSolver = Literal["auto", "interior", "low_rank", "laplacian"]
Format = Literal["csv", "tsv", "npy", "npz", "mtx", "txt", "jsonl", "parquet", "arrow", "pdb", "mmcif", "h5ad", "h5mu"]
Missing = Literal["error", "zero", "mean", "drop", "unknown"]
Weighting = Literal["tfidf", "counts"]
Atoms = Literal["ca", "all"]
Kind = Literal["usearch", "faiss"]
