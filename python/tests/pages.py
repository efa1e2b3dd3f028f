"""Pages of the documentation: their blocks, what the blocks print, their headings.

`LANDBRIDGE_FILL=1 pytest python/tests/test_stories.py` writes what the blocks print into the pages, behind blocks that have a
block ```` ```text prints ```` after them.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^( *)```(.*)$")
LINK = re.compile(r"\]\(([^)\s]+)\)")


@dataclass
class Block:
    line: int  # of the opening fence, from 1
    language: str
    reason: str  # the words after the language
    text: str


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found: list[Block] = []
    lines = page.splitlines()
    at = 0
    while at < len(lines):
        opening = FENCE.match(lines[at])
        if opening is None:
            at += 1
            continue
        indent, words = opening.groups()
        language, _, reason = words.strip().partition(" ")
        end = at + 1
        while end < len(lines) and lines[end] != indent + "```":
            end += 1
        assert end < len(lines), f"line {at + 1}: the block has no end"
        body = "\n".join(line.removeprefix(indent) for line in lines[at + 1 : end])
        found.append(Block(at + 1, language, reason, body + "\n"))
        at = end + 1
    return found


def prose(page: str) -> str:
    """The page without its blocks and without inline code."""
    for block in blocks(page):
        page = page.replace(block.text, "\n")
    return re.sub(r"`[^`]*`", "", page)


def anchors(page: str) -> set[str]:
    """What links to a heading of the page may end in, by the rule that the site and forges share."""
    for block in blocks(page):
        page = page.replace(block.text, "\n")
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+?) *$", page, re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        words = unicodedata.normalize("NFC", words).lower()
        slug = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
        found.add(slug)
    return found


def run(page: Path, after_shell: Callable[[Block, subprocess.CompletedProcess[str]], None] = lambda block, done: None) -> None:
    """Runs the blocks of a page, in order, in the current folder. What they print must be what the page shows."""
    text = page.read_text(encoding="utf-8")
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed = ""
    differs: list[str] = []
    filled = text
    for block in blocks(text):
        where = f"{page.name}, block of line {block.line}"
        if block.language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                # Blank lines before the code, so that a traceback has the line of the page.
                exec(compile("\n" * block.line + block.text, str(page), "exec"), namespace)
            printed = out.getvalue()
        elif block.language == "sh":
            done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", block.text], capture_output=True, text=True)
            assert done.returncode == 0, f"{where}:\n{block.text}\n{done.stdout}\n{done.stderr}"
            printed = done.stdout
            after_shell(block, done)
        elif block.reason == "prints":
            if not same(block.text, printed):
                differs.append(f"{where} says\n{block.text}\nand the code prints\n{printed}")
                shown = block.text.lstrip("\n") and block.text
                filled = filled.replace(f"```text prints\n{shown}```", f"```text prints\n{printed.rstrip()}\n```", 1)
    if differs and os.environ.get("LANDBRIDGE_FILL"):
        page.write_text(filled, encoding="utf-8")
    else:
        assert not differs, "\n".join(differs)


def same(shown: str, printed: str) -> bool:
    """Whether the page shows what was printed, but for spaces at the ends of lines; `…` stands for anything in its line, and a line
    that is only `…` for any number of lines. Decimal numbers may differ by a hundredth: processors round differently."""
    decimal = r"\d+\.\d+"

    def pattern(text: str) -> str:
        return f"({decimal})".join(re.escape(part) for part in re.split(decimal, text))

    lines = [line.rstrip() for line in shown.strip("\n").split("\n")]
    whole = "\n".join("(?s:.*)" if line.strip() == "…" else ".*".join(pattern(part) for part in line.split("…")) for line in lines)
    found = re.fullmatch(whole, "\n".join(line.rstrip() for line in printed.strip("\n").split("\n")))
    if found is None:
        return False
    wanted = [float(number) for number in re.findall(decimal, "\n".join(lines))]
    return all(abs(a - float(b)) <= 0.01 * max(1.0, abs(a)) for a, b in zip(wanted, found.groups()))
