"""What the site has beside the files of docs/: pages made from the code, and files of the project that pages link to.

The pages in docs/ are plain Markdown that reads well without the site. A page asks for a generated part by a comment on a line of
its own: `<!-- parameters: linear -->`, `<!-- commands -->`, `<!-- benchmarks -->`, `<!-- costs -->`.
"""

from __future__ import annotations

import html
import json
import math
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
#: Files of the project that become pages, and where.
INCLUDED = {name: f"project/{name}" for name in ("ARCHITECTURE.md", "NOTATION.md", "CONTRIBUTING.md", "CHANGELOG.md")}
INCLUDED |= {f"benchmarks/{name}.md": f"numbers/{page}.md" for name, page in (("README", "benchmarks-how"), ("RESULTS", "benchmarks-all"))}
INCLUDED["README.md"] = "index.md"
EXAMPLES = {f"examples/{path.name}": f"examples/{path.stem}.md" for path in sorted((ROOT / "examples").glob("*.py"))}
INCLUDED |= EXAMPLES

LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)")
FENCED = re.compile(r"^( *)```.*?^\1```$", re.S | re.M)
MARK = re.compile(r"^<!-- (\w+)(?:: (\w+))? -->$", re.M)


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages of files outside docs/."""
    for source, page in INCLUDED.items():
        if page == "index.md":
            continue
        text = (ROOT / source).read_text(encoding="utf-8")
        if source in EXAMPLES:
            text = example(source, text)
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Fills in generated parts; turns links out of docs/ and blocks with words behind their language into what the site knows."""
    markdown = MARK.sub(lambda mark: generated(mark[1], mark[2]), markdown)
    source = next((name for name, shown in INCLUDED.items() if shown == page.file.src_uri and shown != "index.md"), None)
    here = (ROOT / source if source else ROOT / "docs" / page.file.src_uri).parent
    kept: list[str] = []

    def keep(block: re.Match[str]) -> str:
        kept.append(titled(block[0]))
        return f"\0{len(kept) - 1}\0"

    markdown = FENCED.sub(keep, markdown)
    markdown = re.sub(r"^\$\$\n(.*?)\n\$\$$", formula, markdown, flags=re.S | re.M)
    markdown = LINK.sub(lambda link: linked(link, here, page.file.src_uri), markdown)
    return re.sub("\0(\\d+)\0", lambda at: kept[int(at[1])], markdown)


def on_page_content(content: str, page: Any, config: Any, files: Files) -> str:
    """Short code in a sentence stays on one line: browsers break `--resume` behind its dashes."""
    return re.sub(r"<code>([^<\n]{1,24})</code>", r'<code class="short">\1</code>', content)


def linked(link: re.Match[str], here: Path, page: str) -> str:
    """A link as the site has it: to the page of the file, or the path as code where the site has no such page."""
    shown, target = link.groups()
    path, hash_, anchor = target.partition("#")
    if not path or re.match(r"[a-z]+:", path):
        return link[0]
    absolute = Path(os.path.normpath(here / path))
    if not absolute.exists():
        return link[0]  # mkdocs says so, and `--strict` fails
    if absolute.is_dir() and (absolute / "index.md").is_file():
        absolute /= "index.md"
    name = absolute.relative_to(ROOT).as_posix()
    if name in INCLUDED:
        goal = INCLUDED[name]
    elif name.startswith("docs/"):
        goal = name.removeprefix("docs/")
    else:
        text = shown.strip("[]`")
        return f"`{name}`" if text in (name, absolute.name) else f"{text} (`{name}`)"
    if shown.strip("[]`") in (absolute.name, f"{absolute.parent.name}/{absolute.name}") and absolute.suffix == ".md":
        # A forge has files, the site has pages with titles.
        heading = re.search(r"^# (.+)$", absolute.read_text(encoding="utf-8"), re.M)
        shown = f"[{heading[1]}]" if heading else shown
    return f"{shown}({os.path.relpath(goal, Path(page).parent)}{hash_}{anchor})"


def titled(block: str) -> str:
    """```text needs Slurm``` is a block that does not run, and says why: the words become its title."""
    return re.sub(
        r"\A( *)```(\w+) ([^\n]+)$",
        lambda m: f'{m[1]}```{m[2]} title="{"Output" if m[3] == "prints" else html.escape(m[3])}"',
        block,
        count=1,
        flags=re.M,
    )


def formula(found: re.Match[str]) -> str:
    """MathML, which browsers show without a script. A blank line would end the block of HTML."""
    return f'<div class="formula">{convert(found[1].strip(), display="block")}</div>'.replace("\n", "")


def generated(kind: str, what: str | None) -> str:
    makers = {"parameters": parameters, "commands": commands, "benchmarks": benchmarks, "costs": costs, "python": python}
    return makers[kind](what) if kind in makers else f"<!-- {kind} -->"


def parameters(method: str | None) -> str:
    """The table of a method in docs/parameters.md, which is written from the declarations."""
    text = (ROOT / "docs/parameters.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {method}\n(.*?)(?=^#|\Z)", text, re.S | re.M)
    if section is None:
        raise PluginError(f"docs/parameters.md has no method {method!r}")
    return section[1].strip()


def commands(_: str | None) -> str:
    """The help of every command, as the parser prints it; that of methods below their command, folded."""
    program = os.environ.get("LANDBRIDGE_CLI", str(ROOT / "target/release/landbridge"))

    def told(*path: str) -> str:
        call = [program, *path, "--help"]
        done = subprocess.run(call, capture_output=True, text=True, env={**os.environ, "COLUMNS": "96"})
        if done.returncode != 0:
            raise PluginError(f"{' '.join(call)}: {done.stderr}")
        return done.stdout.rstrip()

    def below(text: str) -> list[str]:
        """The names listed in a help text under a title that begins a list of commands or methods."""
        lists = re.findall(r"^(?:Commands|Methods|Embeddings):\n(.*?)(?:\n\n|\Z)", text, re.S | re.M)
        return [name for part in lists for name in re.findall(r"^  ([a-z][a-z-]*)(?: |$)", part, re.M) if name != "help"]

    parts = [f"```text\n{told()}\n```"]
    for command in below(told()):
        text = told(command)
        parts.append(f"## landbridge {command}\n\n```text\n{text}\n```")
        for method in below(text):
            inner = "\n".join(f"    {line}".rstrip() for line in ["```text", *told(command, method).split("\n"), "```"])
            parts.append(f'??? note "landbridge {command} {method}"\n\n{inner}')
    return "\n\n".join(parts)


def benchmarks(_: str | None) -> str:
    """Our time beside that of each peer; a bar shows the ratio on a scale of powers of two."""
    lines = ["| task | peer | peer, s | landbridge, s | times faster | |", "|---|---|---|---|---|---|"]
    for row in json.loads((ROOT / "benchmarks/results.json").read_text(encoding="utf-8"))["rows"]:
        ours, theirs = row["our_side"]["wall"], row["peer_side"] or {}
        bound = ">" if "over" in theirs else ""
        wall = theirs.get("wall", theirs.get("over"))
        if wall is None:
            lines.append(f"| {row['task']} | – | – | {ours:.3g} | – | |")
            continue
        width = max(0, min(100, 14 * math.log2(wall / ours)))
        bar = f'<span class="bar" style="width:{width:.0f}px"></span>'
        lines.append(f"| {row['task']} | {row['peer']} | {bound}{wall:.3g} | {ours:.3g} | {bound}{wall / ours:.1f} | {bar} |")
    return "\n".join(lines)


#: The quantities of the table of costs, as formulas of N rows and P columns of all datasets, l pairs, k neighbours, d components, and s stored
#: values; R is the columns of all datasets, for each at most as many as its rows.
QUANTITIES = {
    "one": "", "stored": "s", "rows": "N", "rows_neighbors": "N k", "rows_dimension": "N d", "rows_dimension2": "N d²",
    "columns_dimension": "P d", "columns2": "P²", "columns_features": "P R", "features2": "R²", "features3": "R³", "rows2": "N²",
    "rows_stored": "n s of each dataset", "rows_searched": "n² of each dataset", "pairs_columns": "l P", "pairs2": "l²", "paired2": "min(l, P)²", "stored_dimension": "s d",
    "stored_features": "s R of each dataset", "largest_stored": "s of the largest",
    "rows_directions": "N c", "columns_directions": "P c", "stored_directions": "s c", "directions2": "c²",
}


def costs(_: str | None) -> str:
    """What fits cost, from the table behind `--plan`: a line per method and kind of data."""
    found: dict[tuple[str, str], tuple[dict[str, float], dict[str, float]]] = {}
    for line in (ROOT / "crates/landbridge/src/choose/costs.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        method, kind, _stage, held, cpu = line.split("\t")
        bytes_, seconds = found.setdefault((method, kind), ({}, {}))
        for terms, into, join in ((held, bytes_, max), (cpu, seconds, lambda a, b: a + b)):
            for name, each in (term.split("=") for term in terms.split()):
                into[name] = join(into.get(name, 0.0), float(each))
    told = lambda terms, unit: " + ".join(f"{each:.2g}{unit} {QUANTITIES[name]}".strip() for name, each in terms.items())
    lines = ["| method | data | bytes beside the data, at most | CPU seconds |", "|---|---|---|---|"]
    lines += [f"| {method} | {kind} | {told(b, '')} | {told(s, '')} |" for (method, kind), (b, s) in found.items()]
    return "\n".join(lines)


#: The modules of the Python page: their heading, and their names in the order of `__all__`; None for names of the package itself.
MODULES = ["control", "dask", "datasets", "geometry", "links", "metrics", "sc", "solve"]


def python(_: str | None) -> str:
    """A heading for each group of public names, and an order to mkdocstrings for each name, which reads the docstrings."""
    package = ROOT / "python/landbridge"
    listed = lambda path: re.findall(r'"(\w+)"', re.search(r"__all__ = \[(.*?)\]\n", path.read_text(encoding="utf-8"), re.S)[1])
    methods = listed(package / "_methods.py")
    own = [name for name in listed(package / "__init__.py") if name not in MODULES and name != "__version__"]
    errors = [name for name in own if name.endswith(("Error", "Warning"))]
    groups = {
        "Methods and embeddings": methods,
        "Functions": [name for name in own if name[0].islower()],
        "Classes": [name for name in own if name[0].isupper() and name not in errors],
        "Errors": errors,
    }
    parts = [f"## {title}\n\n" + "\n\n".join(f"::: landbridge.{name}" for name in names) for title, names in groups.items()]
    for module in MODULES:
        path = package / f"{module}.py"
        parts.append(f"## lb.{module}\n\n" + "\n\n".join(f"::: landbridge.{module}.{name}" for name in listed(path)))
    return "\n\n".join(parts)


def example(source: str, text: str) -> str:
    """A script of examples/ as a page: its first sentences, and the code."""
    said = re.match(r'"""(.*?)"""\n', text, re.S)
    title = Path(source).stem.replace("_", " ").capitalize()
    return f"# {title}\n\n{said[1].strip() if said else ''}\n\n`python {source}` runs it; the tests run it too.\n\n```python\n{text}```\n"
