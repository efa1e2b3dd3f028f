"""Makes old.lb: a model as it was written before text had recipes. Needs landbridge, NumPy and blake3: python make_old_model.py

The model is fitted today; what later versions added to the header is taken out again, and the checksum made anew.
"""

import json
import os
import struct

import numpy as np
from blake3 import blake3

import landbridge as lb

os.chdir(os.path.dirname(os.path.abspath(__file__)))
LATER = ["rank", "ridge", "scales", "negative_share", "trust"]

t = np.linspace(0, 3, 12)
A, B = np.c_[np.cos(t), np.sin(t)], np.c_[t, t**2, np.ones(12)]
aligned = lb.InstanceAlignment(n_components=2, n_neighbors=3).fit([A, B], pairs=[(0, 0), (5, 5), (11, 11)])
aligned.save("old.lb")

with open("old.lb", "rb") as file:
    content = file.read()
length = struct.unpack("<Q", content[:8])[0]
outer, arrays = json.loads(content[8 : 8 + length]), content[8 + length :]
envelope = json.loads(outer["__metadata__"]["landbridge"])
header = json.loads(envelope["header"])
for name in LATER:
    header["outcome"].pop(name, None)
envelope["header"] = json.dumps(header, separators=(",", ":"))
tensors = {name: about for name, about in outer.items() if name != "__metadata__"}
assert not any(name.endswith(("recipe", "row_factors", "known_means")) for name in tensors), sorted(tensors)

parts = [envelope["header"].encode()]
for name, about in sorted(tensors.items()):
    start, end = about["data_offsets"]
    parts += [name.encode(), f"{about['dtype']} {about['shape']}".encode(), arrays[start:end]]
envelope["checksum"] = blake3(b"".join(struct.pack("<Q", len(part)) + part for part in parts)).hexdigest()
outer["__metadata__"]["landbridge"] = json.dumps(envelope, separators=(",", ":"))
begin = json.dumps(outer, separators=(",", ":")).encode()
begin += b" " * (-len(begin) % 8)
with open("old.lb", "wb") as file:
    file.write(struct.pack("<Q", len(begin)) + begin + arrays)
