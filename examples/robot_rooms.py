"""Two robots in one building: different sensors observe the locations, and the joint map preserves distances.

The first robot measures distances to beacons. The second records sound, as fifty numbers. A few locations are known to both.
The example computes where the second robot is, in metres on the map of the first.
"""

import numpy as np

import landbridge as lb

rng = np.random.default_rng(0)


def walk(n):
    """Locations in a corridor around a courtyard of 30 x 20 metres, 3 metres wide."""
    along = rng.random(n) * 100
    across = rng.random(n) * 3
    corners = np.array([[0, 0], [30, 0], [30, 20], [0, 20], [0, 0]])
    lengths = np.array([30, 20, 30, 20])
    ends = np.cumsum(lengths)
    side = np.searchsorted(ends, along)
    step = (along - (ends - lengths)[side])[:, None]
    direction = np.diff(corners, axis=0)[side] / lengths[side][:, None]
    outward = np.column_stack([direction[:, 1], -direction[:, 0]])
    return corners[side] + step * direction + across[:, None] * outward


places = walk(600)
beacons = rng.random((12, 2)) * [30, 20]
distance_to_beacons = np.linalg.norm(places[:, None] - beacons, axis=2)
frequencies, phases = rng.normal(size=(2, 50)) / 8, rng.random(50) * 6
sound = np.cos(places @ frequencies + phases) + 0.01 * rng.normal(size=(600, 50))

known = rng.choice(600, size=60, replace=False)
rest = np.setdiff1d(np.arange(600), known)
pairs = np.column_stack([known, known])

# Distances are geodesic, along the path of each robot, because distant locations may sound alike.
a = lb.GlobalAlignment(2, level="instance").fit({"beacons": distance_to_beacons, "sound": sound}, pairs)
local = lb.InstanceAlignment(2).fit({"beacons": distance_to_beacons, "sound": sound}, pairs)
print(f"sounds are multiplied by {a.scales_[1]:.2f} to be comparable with distances to beacons")


def metres_apart(method):
    """Median error in metres, after the known locations fix the position of the joint map in the building."""
    Z, W = method.embeddings_
    design = lambda M: np.column_stack([M, np.ones(len(M))])
    onto, *_ = np.linalg.lstsq(design(Z[known]), places[known], rcond=None)
    return np.median(np.linalg.norm(design(W[rest]) @ onto - places[rest], axis=1))


def kept(method):
    """Correlation of true distances between locations with those on the joint map, across the two robots."""
    Z, W = (M[rest[:200]] for M in method.embeddings_)
    joint = np.linalg.norm(Z[:, None] - W, axis=2).ravel()
    true = np.linalg.norm(places[rest[:200], None] - places[rest[:200]], axis=2).ravel()
    return np.corrcoef(joint, true)[0, 1]


for name, method in (("global geometry", a), ("neighbours only", local)):
    print(f"{name}: the second robot is {metres_apart(method):.1f} m off (median); distances correlate {kept(method):.2f}")

# New locations of the second robot, on the joint map.
fresh = walk(5)
heard = np.cos(fresh @ frequencies + phases)
print("five new sounds:", np.round(a.transform(heard, "sound"), 1).tolist())
