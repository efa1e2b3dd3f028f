"""Two shapes of one chain, one of them rotated, shrunk and noisy. A quarter of the points is known; Procrustes aligns the rest."""

import numpy as np

import landbridge as lb

rng = np.random.default_rng(0)
chain = np.cumsum(rng.normal(size=(200, 3)), axis=0)  # like the backbone of a protein
angle = 0.8
turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
other = (chain + 0.1 * rng.normal(size=chain.shape)) @ turn / 4 + [10, 0, -5]

known = np.arange(0, 200, 4)
a = lb.ProcrustesAlignment(embedding=None).fit({"chain": chain, "other": other}, np.column_stack([known, known]))
print(f"scale {a.scale_[1]:.3f} (it was shrunk four times)")
print(f"pairs are {np.median(a.residuals_):.2f} apart, the chain is {np.ptp(chain, axis=0).max():.0f} long")

# Rolled-up sheets, which Isomap unrolls first.
rolls = lb.datasets.swiss_rolls(800)
flat = lb.AffineAlignment(2, embedding="isomap", n_neighbors=6).fit(rolls.datasets, rolls.pairs(20))
raw = lb.AffineAlignment(embedding=None).fit(rolls.datasets, rolls.pairs(20))
for name, method in (("unrolled by Isomap", flat), ("as they are", raw)):
    print(f"{name}: true match first for {lb.metrics.recall_at_k(*method.embeddings_, k=1):.0%} of the points")
