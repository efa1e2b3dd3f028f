"""A first alignment: two point clouds that share no features, and a few points known in both."""

import landbridge as lb

rolls = lb.datasets.swiss_rolls(1000)  # a swiss roll and an S-shaped sheet, 1000 points each
known = rolls.pairs(50)  # 50 of the points are known in both

alignment = lb.InstanceAlignment(n_components=4).fit(rolls.datasets, known)
print(alignment.outcome_)

matches, distances = alignment.match(source=0, target=1, k=10)
print("the ten best matches of point 0 of the roll in the sheet:", matches[0])

first, tenth = lb.metrics.recall_at_k(*alignment.embeddings_, k=(1, 10))
print(f"true match first: {first:.0%}, among the first ten: {tenth:.0%}")
print(f"points closer than the true match: {lb.metrics.foscttm(*alignment.embeddings_):.2%}")
