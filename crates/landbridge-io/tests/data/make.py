"""Makes the small files that tests/foreign.rs reads. Needs NumPy and SciPy: python make.py"""

import os

import numpy as np
import scipy.io
import scipy.sparse as sp

os.chdir(os.path.dirname(os.path.abspath(__file__)))
a = np.array([[0, 1.5, 0, -2], [0, 0, 0, 0], [3, 0, 0.25, 0]])
for name in ["csr", "csc", "coo"]:
    sp.save_npz(f"{name}.npz", sp.coo_matrix(a).asformat(name))
sp.save_npz("csr_array_plain.npz", sp.csr_array(a.astype(np.float32)), compressed=False)
np.savez("one.npz", a=a)
np.savez_compressed("two.npz", a=a, b=np.arange(3))
for name, dtype in [("f2", "<f2"), ("f4", ">f4"), ("f8", "<f8")]:
    np.save(f"{name}.npy", a.astype(dtype))
np.save("fortran.npy", np.asfortranarray(a))
np.save("int.npy", (4 * a).astype(">i4"))
scipy.io.mmwrite("coordinate.mtx", sp.coo_matrix(a))
scipy.io.mmwrite("array.mtx", a)
scipy.io.mmwrite("symmetric.mtx", sp.coo_matrix(a.T @ a), symmetry="symmetric")
