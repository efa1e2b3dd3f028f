"""Docstrings of ours say `k : matches per row`. To numpydoc the words behind the colon are a type; here they go into the description."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

SECTION = re.compile(r"^( *)(Parameters|Attributes|Returns)\n\1-+\n(.*?)(?=^\1\w[^\n]*\n\1-+\n|^\1(?:>>>|``)|\Z)", re.S | re.M)
#: Words that begin a type, as the generated classes have them; what follows on the next lines is their description.
TYPE = re.compile(r"(int|float|bool|str|None|array|\{|list of .* or None)\b.*default|\{")
#: The words that an option knows, before its description, and one of them with its meaning.
WORDS = re.compile(r"\"\w+\"(, \"\w+\")*(, None)?, default ")
MEANING = re.compile(r" *\"\w+\": ")


def described(section: re.Match[str]) -> str:
    indent, title, body = section.groups()
    out: list[str] = []
    for line in body.split("\n"):
        entry = re.match(rf"{indent}([\w*, ]+?) : (.*)$", line)
        if MEANING.match(line):
            if not out[-1].lstrip().startswith("- "):
                out.append("")
            out.append(f"{indent}    - {line.lstrip()}")
        elif entry is not None and WORDS.match(entry[2]):
            # The signature has them too.
            out.append(f"{indent}{entry[1]}")
        elif entry is None or TYPE.match(entry[2]):
            out.append(line)
        else:
            out += [f"{indent}{entry[1]}", f"{indent}    {entry[2]}"]
    return f"{indent}{title}\n{indent}{'-' * len(title)}\n" + "\n".join(out)


class Descriptions(Extension):
    """Moves descriptions to where the reader of docstrings looks for them."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        if obj.docstring is not None:
            text = SECTION.sub(described, obj.docstring.value)
            if text != obj.docstring.value and "Examples\n" not in text:
                text = re.sub(r"\n\n( *)>>> ", r"\n\n\1Examples\n\1--------\n\1>>> ", text, count=1)
            obj.docstring.value = text
