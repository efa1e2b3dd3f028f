"""Two shops with the same users: predict what a customer of one shop thinks of the goods of the other.

A few hundred people are known as customers of both. Ratings are made up (seeded), so that the example runs anywhere. For your own,
pass arrays with NaN where a rating is unknown, or read lines of user, item, rating: ``lb.read("ratings.csv", ratings=True)``.
"""

import tempfile
from pathlib import Path

import numpy as np

import landbridge as lb

rng = np.random.default_rng(0)
people, books, films = 500, 80, 60
taste = rng.normal(size=(people, 3))  # the same in both shops
mood = rng.normal(size=(people, 1))  # some people always give more stars than others


def shop(items):
    """Stars from 1 to 5; six of ten are unknown."""
    goods = rng.normal(size=(3, items))
    stars = 3 + 0.5 * mood + 0.6 * taste @ goods + 0.3 * rng.normal(size=items) + 0.4 * rng.normal(size=(people, items))
    return np.where(rng.random(stars.shape) < 0.4, np.clip(np.round(stars), 1, 5), np.nan)


A, B = shop(books), shop(films)
linked = np.arange(200)  # customers of both shops
pairs = np.column_stack([linked, linked])
newcomers = np.arange(400, 500)  # known to the first shop only; their ratings of films are the truth to compare with
truth = B[newcomers]

for method in (lb.MeanVotes(), lb.PopularVotes(), lb.CLLE(6), lb.LAMVU(6, n_neighbors=8)):
    method.fit({"books": A, "films": B[linked]}, pairs)
    stars = method.predict(A[newcomers], source="books", target="films")
    near = np.mean(np.abs(stars - truth)[~np.isnan(truth)] < 0.5)
    print(f"{type(method).__name__:13} is off by {lb.metrics.mmae(stars, truth):.2f} stars, and by less than half a star for {near:.0%}")

# Recommendations: the best films that the first newcomer has not seen.
unseen = np.flatnonzero(np.isnan(truth[0]))
best = unseen[np.argsort(-stars[0, unseen])][:3]
print("recommended to the first newcomer:", ", ".join(f"film {j} ({stars[0, j]:.1f} stars)" for j in best))

# The model is one file, and gives the same predictions.
with tempfile.TemporaryDirectory() as folder:
    method.save(Path(folder) / "shops.lb")
    again = lb.load(Path(folder) / "shops.lb").predict(A[newcomers], source="books", target="films")
print("the same from the file:", bool((again == stars).all()))
