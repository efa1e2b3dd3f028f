"""Makes crates/landbridge-cli/data/passages.gz, the counts of the demo "passages".

    python experiments/make_passages.py --data DIR

DIR has the verses of two editions, a line each: en.txt.gz (World English Bible) and de.txt.gz (Luther 1912), both in the public
domain, and vref.txt.gz, which names them (GEN 1:1). What is shipped is how often each frequent word occurs in a passage of ten
verses, not the text.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import pathlib
import re

ROWS = 1000
WORDS = 2000
VERSES = 10
OUT = pathlib.Path(__file__).parent.parent / "crates/landbridge-cli/data/passages.gz"

#: Parts of the book, with the books in each: a label for every passage.
PARTS = {
    "law": "GEN EXO LEV NUM DEU",
    "history": "JOS JDG RUT 1SA 2SA 1KI 2KI 1CH 2CH EZR NEH EST",
    "poetry": "JOB PSA PRO ECC SNG",
    "prophets": "ISA JER LAM EZK DAN HOS JOL AMO OBA JON MIC NAM HAB ZEP HAG ZEC MAL",
    "gospels and acts": "MAT MRK LUK JHN ACT",
    "letters": "ROM 1CO 2CO GAL EPH PHP COL 1TH 2TH 1TI 2TI TIT PHM HEB JAS 1PE 2PE 1JN 2JN 3JN JUD REV",
}
GERMAN = dict(
    zip(
        " ".join(PARTS.values()).split(),
        "1Mo 2Mo 3Mo 4Mo 5Mo Jos Ri Rut 1Sam 2Sam 1Kön 2Kön 1Chr 2Chr Esr Neh Est Hi Ps Spr Pred Hld Jes Jer Klgl Hes Dan Hos "
        "Joel Am Obd Jona Mi Nah Hab Zef Hag Sach Mal Mt Mk Lk Joh Apg Röm 1Kor 2Kor Gal Eph Phil Kol 1Thess 2Thess 1Tim 2Tim "
        "Tit Phlm Hebr Jak 1Petr 2Petr 1Joh 2Joh 3Joh Jud Offb".split(),
    )
)


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())


def cells(counts: collections.Counter[str], column: dict[str, int]) -> str:
    """Columns as gaps, with a count behind a colon where it is not 1."""
    out, last = [], 0
    for j, n in sorted((column[w], n) for w, n in counts.items() if w in column):
        out.append(f"{j - last}" if n == 1 else f"{j - last}:{n}")
        last = j
    return " ".join(out)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=pathlib.Path, required=True)
    folder = parser.parse_args().data
    read = lambda name: gzip.open(folder / name, "rt", encoding="utf-8").read().split("\n")  # noqa: E731
    part = {book: name for name, books in PARTS.items() for book in books.split()}
    passages: dict[tuple[str, int, int], list[tuple[int, str, str]]] = {}
    for name, en, de in zip(read("vref.txt.gz"), read("en.txt.gz"), read("de.txt.gz")):
        if name and en and de:
            book, place = name.split(" ")
            chapter, verse = map(int, place.split(":"))
            passages.setdefault((book, chapter, (verse - 1) // VERSES), []).append((verse, en, de))
    long = [(key, verses) for key, verses in passages.items() if len(verses) >= VERSES - 2]
    chosen = [long[i * len(long) // ROWS] for i in range(ROWS)]
    bags = [[collections.Counter(words(" ".join(v[side] for v in verses))) for _, verses in chosen] for side in (1, 2)]
    lines, columns = [], []
    for bag in bags:
        total: collections.Counter[str] = sum(bag, collections.Counter())
        vocabulary = [w for w, _ in sorted(total.items(), key=lambda c: (-c[1], c[0]))[:WORDS]]
        columns.append({w: j for j, w in enumerate(vocabulary)})
        lines.append(" ".join(vocabulary))
    for at, ((book, chapter, _), verses) in enumerate(chosen):
        first, last = verses[0][0], verses[-1][0]
        ids = [f"{book.title()} {chapter}:{first}–{last}", f"{GERMAN[book]} {chapter},{first}–{last}"]
        lines.append("\t".join([part[book], *ids, *(cells(bag[at], column) for bag, column in zip(bags, columns))]))
    OUT.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), 9, mtime=0))
    print(f"{OUT.name}: {OUT.stat().st_size:,} bytes, {len(chosen)} passages")


if __name__ == "__main__":
    main()
