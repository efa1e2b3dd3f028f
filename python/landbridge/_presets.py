"""Methods as their papers print them."""

from __future__ import annotations

import json
from typing import Any

from . import _landbridge as _core
from ._alignment import _CLASSES, Alignment
from ._errors import ParameterError

#: By name: the method, the paper, and the parameters in which our defaults depart from the paper.
presets: dict[str, dict[str, Any]] = {p.pop("name"): p for p in json.loads(_core.declarations())["presets"]}


def preset(name: str, n_components: int | None = None, **params: Any) -> Alignment:
    """An alignment with the parameters that a paper prints, not fitted.

    Parameters
    ----------
    name : a name in `presets`, such as "chapter11"; ``landbridge fit METHOD --preset NAME`` is the same
    n_components : dimension of the joint space
    params : other parameters; they come before those of the paper

    >>> import landbridge as lb
    >>> lb.preset("chapter11", 20).get_params()["ridge"]
    0.0
    """
    found = presets.get(str(name).replace("-", "_"))
    if found is None:
        raise ParameterError(f"preset is {name!r}; it must be one of {', '.join(presets)}")
    own = {} if n_components is None else {"n_components": n_components}
    return _CLASSES[found["method"]](**{**found["params"], **own, **params})
