"""Transfer a policy between sensors: a controller learns with one sensor and works with another.

A controller has learnt to balance a pole from its angle and speed. Now a camera replaces these gauges: it gives ten numbers for each
state, and there is hardly any experience with it. Forty states are known to both sensors. They suffice to align the proto-value
functions of the two sides (Wang and Mahadevan 2008), and the value function transfers with them.
"""

import numpy as np

import landbridge as lb

task = lb.control.Pendulum()
gauges = lb.control.Sensor(task)  # angle and speed
camera = lb.control.Sensor(task, features=10, bend=0.2, random_state=1)  # the same states, bent and rotated

# The old side: 300 episodes of random pushes, about ten steps each until the pole falls.
learnt = lb.control.random_walks(task, 300, random_state=0)
seen = learnt.map(gauges.observe)
# The new side: ten episodes.
few = lb.control.random_walks(task, 10, random_state=1).map(camera.observe)

both = learnt.states[lb.control.spread(seen.states, 40)]  # 40 states known to gauges and camera
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
print(f"transferred from the gauges:              balanced for {carried.mean():.0f} steps of {task.limit}")
assert carried.mean() > 1000
