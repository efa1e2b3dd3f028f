"""Sparse maps that can be interpreted: documents in two languages, aligned by few words of each."""

import landbridge as lb

documents = lb.datasets.bilingual_documents(400, length=600)
pairs = documents.pairs(200)

# A fifth of the pairs is held out to choose the strength of the penalty.
sparse = lb.SparseAlignment(20, metric="cosine", prepare="log_tfidf", mu=3)
path = lb.sparse_path(sparse, documents.datasets, pairs, alphas=[0.1, 0.05, 0.02, 0.01, 0.005])
for alpha, used, share, recall in zip(path.alphas, path.features_used, path.density, path.recall):
    print(f"alpha {alpha:<6} {used[0]:4d} and {used[1]:4d} words, {share:6.1%} of the weights, {recall:.0%} of the held-out pairs found")

a = sparse.set_params(alpha=path.best_alpha, refit=1.0).fit(documents.datasets, pairs)
print(f"\nalpha {path.best_alpha}: {a.pruned_[0]:.0%} and {a.pruned_[1]:.0%} of the words pruned; duality gap {max(a.gaps_):.0e}")
for component in range(3):
    for side in (0, 1):
        words = ", ".join(f"{name} {weight:+.2f}" for name, weight in a.top_features(side, component, 5))
        print(f"component {component}, language {side}: {words}")
print(f"true match first for {lb.metrics.recall_at_k(*a.embeddings_, k=1, metric='cosine'):.0%} of all documents")
