"""Change the embedding model without embedding everything again: a map between two made-up vector stores."""

import numpy as np

import landbridge as lb

# Two models see the same texts differently: both vectors are noisy linear views of what the texts are about.
rng = np.random.default_rng(0)
about = rng.standard_normal((3000, 40)) / np.arange(1, 41) ** 0.5
old, new = (about @ rng.standard_normal((40, p)) + 0.3 * rng.standard_normal((3000, p)) for p in (96, 128))
old, new = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (old, new))

# The new store has only 1,200 texts yet; the first 400 of both are the same.
in_new = np.r_[:400, 2200:3000]
b = lb.bridge(old[:2200], new[in_new], "400-first")
print(b.bridge_)
print(f"enough pairs: {b.enough_pairs_}; embed anew first: rows {[r['row'] for r in b.embed_first_[:5]]}")

# How well does it do on the texts that the new model has never seen? Normally nobody knows.
unseen = np.arange(400, 2200)
z_old, z_new = b.transform(old[unseen], "old"), b.transform(new[unseen], "new")
print(f"unseen texts: {lb.metrics.recall_at_k(z_old, z_new, k=1, metric='cosine'):.0%} first, predicted {float(b.quality_['recall_at_1']):.0%}")

mapped = b.map(old[unseen[:3]], "old", "new")            # old vectors as the new model would give them
print(f"mapped to {mapped.shape[1]} columns; drift: {b.check_drift(old[unseen], 'old')}")
