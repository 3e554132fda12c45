"""Test every file reader with mutated files: each must read the file or report findings.

A case takes a small corpus, damages one of its files at random and reads the corpus. The seed of
a case is its format and number, which are printed with every failure. For each format, the mean
time and the slowest case are printed.

    python benchmarks/fuzz_readers.py                  # 10,000 cases a format
    python benchmarks/fuzz_readers.py --cases 300 --format m2 --first 4200
"""

import argparse
import gzip
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from maege.ingest.corpus import read_corpus
from maege.ingest.findings import BadInputError
from maege.ingest.warehouse import Warehouse

MANIFEST = """\
corpus: spoilt
title: Three sentences
licence: CC0-1.0
origin: written for this
annotations:
  people: [edits.m2]
  errors: [gold.xml]
  own: {extracted_from: texts}
references:
  texts: {texts: [ref.txt]}
  edits: {annotations: people}
systems: {INPUT: INPUT.txt, good: good.txt.gz}
lattice:
  paper: {annotations: people, references: texts}
scores:
  naturalness: {file: scores.tsv, higher_is_better: true}
corrections: answers.tsv
validity: judged.tsv
judgments:
  judges: judgments.csv
  pairs: {file: pairs.csv, format: pairwise}
  appraised: {file: ranked.xml, format: appraise}
"""
GOOD = "This is a cat .\nAll well .\nHe goes home .\n"
FILES = {
    "manifest.yml": MANIFEST,
    "edits.m2": """\
S This are a cat .
A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||0
A 2 3|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||1

S All well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S He go home .
A 1 2|||SVA|||goes||went|||REQUIRED|||-NONE-|||0
A 4 4|||Mec|||!|||REQUIRED|||-NONE-|||1
""",
    "gold.xml": """\
<?xml version='1.0' encoding='UTF-8'?>
<scripts><script id="1">
<sentence id="1" numann="2"><text>This are a cat .</text><error-list>
<error id="1" req="yes" type="SVA"><alt ann="0"><c start="1" end="2">is</c></alt></error>
</error-list></sentence>
<sentence id="2" numann="1"><text>All well .</text><error-list></error-list></sentence>
<sentence id="3" numann="1"><text>He go home .</text><error-list></error-list></sentence>
</script></scripts>
""",
    "ref.txt": GOOD,
    "INPUT.txt": "This are a cat .\nAll well .\nHe go home .\n",
    "good.txt.gz": GOOD,
    "scores.tsv": "system\tsentence_id\tscore\nINPUT\t0\t0.25\ngood\t0\t0.75\ngood\t2\t-1e-3\n",
    "judged.tsv": "sentence\tcorrection\tworker\tvalid\n"
    "He go home\tHe goes home\tdan\tYes\n"
    '"He go home"\t"he\n goes home"\tdan\tNo\n',
    "answers.tsv": "sentence\tcorrection\tworker\tstatus\n"
    "This are a cat .\tThis is a cat .\tw1\tApproved\n"
    "He go home .\tHe goes home .\tw2\tRejected\n",
    "judgments.csv": "judge,item,sentence_id,system,rank\nann,1,0,good,1\nann,1,0,INPUT,2\n",
    "pairs.csv": "system1Id,system1rank,system2Id,system2rank,srcIndex,judgeID\n"
    "good,1,INPUT,2,0,ann\nINPUT,1,good,1,2,bob\n",
    "ranked.xml": """\
<?xml version="1.0"?>
<appraise-results>
<ranking-result id="r">
<ranking-item id="1" src-id="0" user="ann">
<translation rank="1" system="good"/>
<translation rank="2" system="INPUT"/>
</ranking-item>
</ranking-result>
</appraise-results>
""",
}
# The file that a format's cases spoil; gzip is spoilt in its bytes.
FORMATS = {
    "m2": "edits.m2",
    "imeasure_xml": "gold.xml",
    "text": "ref.txt",
    "gzip": "good.txt.gz",
    "yaml": "manifest.yml",
    "scores_tsv": "scores.tsv",
    "corrections_tsv": "answers.tsv",
    "validity_tsv": "judged.tsv",
    "judgments_csv": "judgments.csv",
    "pairwise_csv": "pairs.csv",
    "appraise_xml": "ranked.xml",
}
PIECES = (
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3(", b"\x1f\x8b", b"\r", b"\r\n", b"\n\n"),
    *(b"\t", b'"', b"'", b"|||", b"||", b",", b":", b"- ", b"&", b"*a", b"!!python/name:os.system"),
    *(b"<", b"</", b"<!DOCTYPE x [<!ENTITY e 'e'>]>", b"&e;", b"]]>", b"S ", b"A 0 1|||"),
    *(b"{", b"[", b"-1", b"99999999999999999999", b"1e309", b"nan"),
    "\u2028\u0085\U0001f600é".encode(),
)
NUMBER = re.compile(rb"-?[0-9]+")
EXTREMES = (b"-1", b"0", b"7", b"2147483648", b"9" * 30, b"1.5", b"")


def spoilt(content: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(content))
        end = min(len(content), start + chance.choice((0, 1, 1, 3, 20, 200)))
        lines = content.split(b"\n")
        match chance.randint(0, 6):
            case 0:
                content = content[:start] + chance.choice(PIECES) + content[end:]
            case 1:
                content = content[:start] + chance.randbytes(chance.randint(1, 4)) + content[end:]
            case 2:
                content = content[:start] + content[end:]
            case 3:
                content = content[:end] + content[start:]
            case 4:
                chance.shuffle(lines)
                content = b"\n".join(lines)
            case 5:
                at = chance.randrange(len(lines))
                lines[at : at + 1] = [lines[at]] * chance.choice((0, 2, 50))
                content = b"\n".join(lines)
            case _:
                numbers = list(NUMBER.finditer(content))
                if numbers:
                    first, last = chance.choice(numbers).span()
                    content = content[:first] + chance.choice(EXTREMES) + content[last:]
    return content


def write_corpus(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        content = text.encode()
        is_packed = name.endswith(".gz")
        (folder / name).write_bytes(gzip.compress(content, mtime=0) if is_packed else content)


def outcome(folder: Path, form: str, number: int) -> int:
    """Return the number of findings about the damaged corpus, and restore the corpus."""
    path = folder / FORMATS[form]
    content = path.read_bytes()
    path.write_bytes(spoilt(content, random.Random(f"{form} {number}")))  # noqa: S311
    try:
        read_corpus(Warehouse(folder / "none"), folder)
    except BadInputError as error:
        for finding in error.findings:
            assert all((finding.file, finding.found, finding.expected, finding.remedy)), finding
            assert finding.line >= 0, finding
        return len(error.findings)
    finally:
        path.write_bytes(content)
    return 0


def _run(form: str, numbers: Iterable[int], folder: Path) -> bool:
    seconds, clean, faults = [], 0, 0
    for number in numbers:
        start = time.perf_counter()
        try:
            clean += outcome(folder, form, number) == 0
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            faults += 1
            print(f"{form} {number}: {type(error).__name__}: {error}")
        seconds.append(time.perf_counter() - start)
    slowest = max(seconds)
    print(
        f"{form:<16}{len(seconds):>7,} cases{faults:>4} faults{clean:>7,} read clean"
        f"{1000 * sum(seconds) / len(seconds):>7.1f} ms a case, slowest {1000 * slowest:.0f} ms"
    )
    return faults == 0 and slowest < 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--format", choices=list(FORMATS))
    options = parser.parse_args()
    forms = [options.format] if options.format else list(FORMATS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "corpus"
        write_corpus(folder)
        numbers = range(options.first, options.first + options.cases)
        passed = [_run(form, numbers, folder) for form in forms]
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
