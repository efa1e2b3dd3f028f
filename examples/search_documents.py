"""Search documents in one language by a document in another, after learning from a few hundred known translations.

The documents are made up (seeded), so that the example runs anywhere. For your own, pass sparse word counts (SciPy), or text files
through ``lb.read("en.txt")``.
"""

import numpy as np

import landbridge as lb

documents = lb.datasets.bilingual_documents(1000, topics=60, length=600)
first, second = documents.datasets  # sparse counts of words, no word in common
translation = dict(documents.truth)  # row of the second that is the translation of a row of the first

# 400 translations are known; documents 900 to 999 of the first language stay unseen.
known = np.array([(i, translation[i]) for i in range(400)])
seen = np.arange(900)
alignment = lb.LinearAlignment(60, prepare="log_tfidf").fit({"en": first[seen], "it": second}, known)
print(alignment.outcome_)

queries = first[900:]  # new documents: mapped by the model, then matched
found, distance = alignment.match(queries, source="en", target="it", k=10)
hits = np.array([np.flatnonzero(row == translation[900 + i]) for i, row in enumerate(found)], dtype=object)
ranks = [h[0] if len(h) else None for h in hits]
print(f"the translation of a new document comes first for {np.mean([r == 0 for r in ranks]):.0%}, "
      f"among the first ten for {np.mean([r is not None for r in ranks]):.0%} (by chance 1%)")

# The words with the largest weights of a component, side by side. Component 0 holds the words that every document has.
for component in range(1, 4):
    words = [[name for name, _ in alignment.top_features(side, component, 5)] for side in ("en", "it")]
    print(f"component {component}: {', '.join(words[0])}  <->  {', '.join(words[1])}")

# A document of the first language, predicted in the words of the second.
predicted = alignment.predict(queries[:1], source="en", target="it")[0]
print("words expected in the translation of document 900:", np.argsort(-predicted)[:5])
