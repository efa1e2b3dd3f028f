"""A pole that is balanced through other eyes: what was learnt with one sensor is used with another.

A controller has learnt to keep a pole upright from angle and speed. Now it is to work where a camera gives ten numbers without a
name for each state, and there is hardly any experience. Forty states were set up before both. That is enough: the proto-value
functions of the first are moved onto those of the second (Wang and Mahadevan 2008), and the values go with them.
"""

import numpy as np

import landbridge as lb

task = lb.control.Pendulum()
gauges = lb.control.Sensor(task)  # angle and speed
camera = lb.control.Sensor(task, features=10, bend=0.2, random_state=1)  # the same states, bent and turned

# Where it was learnt: 300 episodes of random pushes, each until the pole falls, after about ten.
learnt = lb.control.random_walks(task, 300, random_state=0)
seen = learnt.map(gauges.observe)
# Where it is to work: ten episodes.
few = lb.control.random_walks(task, 10, random_state=1).map(camera.observe)

both = learnt.states[lb.control.spread(seen.states, 40)]  # set up before gauges and camera
pairs = np.column_stack([np.arange(40), np.arange(40)])
old = np.vstack([gauges.observe(both), seen.states[lb.control.spread(seen.states, 300)]])
new = np.vstack([camera.observe(both), few.states])

basis = lb.LaplacianEigenmaps(20, n_neighbors=25).fit(new)
scratch = lb.control.LSPI(task.discount).fit(few.map(basis.transform))
alone = lb.control.steps(task, scratch, basis, sensor=camera, episodes=10)

aligned = lb.ProcrustesAlignment(20, embedding="laplacian", n_neighbors=25).fit({"gauges": old, "camera": new}, pairs)
values = lb.control.LSPI(task.discount).fit(seen.map(lambda rows: aligned.transform(rows, dataset="gauges")))
carried = lb.control.steps(task, values, aligned, dataset=1, sensor=camera, episodes=10)

print(f"learnt from ten episodes with the camera: balanced for {alone.mean():.0f} steps of {task.limit}")
print(f"carried over from the gauges:             balanced for {carried.mean():.0f} steps of {task.limit}")
assert carried.mean() > 1000
