"""Two topic models of one corpus, aligned at every scale: which topic of one corresponds to which topic of the other.

The corpus is made up (seeded), so that the example runs anywhere. For your own, pass word counts and any topic-word matrices, for
example those of scikit-learn's LatentDirichletAllocation.
"""

import numpy as np

import landbridge as lb

rng = np.random.default_rng(0)
subjects = ["brain", "markets", "planets", "cooking", "football", "music", "law", "gardens"]
vocabulary = [f"{subject}{i}" for subject in subjects for i in range(12)]
about = np.kron(np.eye(len(subjects)), np.ones(12)) * rng.gamma(0.5, size=(len(subjects), len(vocabulary)))
mixtures = rng.dirichlet(np.full(len(subjects), 0.15), 600)
counts = rng.poisson(120 * mixtures @ (about / about.sum(axis=1, keepdims=True) + 1e-3 / 96)).astype(float)

# Two topic spaces: latent semantic indexing, and subjects mixed at random, as a stand-in for another model.
lsi = lb.LSI(12, prepare=None).fit(counts).components_
mixed = rng.random((8, len(subjects))) ** 4 @ about
documents = {"LSI": counts @ lsi.T, "mixed": counts @ mixed.T}

pairs = np.column_stack([np.arange(120)] * 2)  # a fifth of the documents is known in both
topics = lb.align_topics(documents, [lsi, mixed], vocabulary, pairs, metric="cosine", precision=1e-3)
print("dimensions of the levels, finest first:", topics.levels_)
for level, dimension in enumerate(topics.levels_):
    if 1 < dimension <= 10:
        print(f"\nlevel {level}, {dimension} topics, the most alike first")
        print(topics.table(level, n=5, limit=4))

found, _ = topics.alignment_.match(source="LSI", target="mixed", level=1)
print(f"\ndocuments found in the other space at level 1: {np.mean(found[120:, 0] == np.arange(120, 600)):.0%} of those not given")
