"""Human rankings as XML of the annotation tool Appraise (Federmann 2012), as WMT and GEC have it.

    <appraise-results>
      <ranking-result id="..." source-language="..." target-language="...">
        <ranking-item src-id="135" id="0" doc-id="..." user="annotator01" duration="00:01:07">
          <translation rank="3" system="CAMB"/>
          <translation rank="1" system="IITB INPUT IPN"/>
        </ranking-item>
      </ranking-result>
    </appraise-results>

`ranking-result` may be `error-correction-ranking-result`, and may be the root itself (RevisitCGEC).
Several systems of one `translation`,
separated by spaces (GJG15, SEEDA) or commas (NSPT15), are systems with the same output. `src-id`
is the sentence and `id` numbers the items of a judge; without `src-id` the sentence is the `id`,
and a judge may have several items of it. `doc-id` is the document that it is a sentence of.
"""

from collections import Counter
from collections.abc import Sequence
from xml.sax.xmlreader import AttributesImpl

from maege.ingest.findings import Findings, quote
from maege.ingest.formats.human_rankings.rankings import (
    Cell,
    Item,
    Rankings,
    Scope,
    rankings_of_items,
)
from maege.ingest.formats.safe_xml import LineReader, is_read

DOCUMENT = "a document"
RESULTS = ("ranking-result", "error-correction-ranking-result")
CHILDREN: dict[str, tuple[str, ...]] = {
    DOCUMENT: ("appraise-results", *RESULTS),
    "appraise-results": RESULTS,
    **dict.fromkeys(RESULTS, ("ranking-item",)),
    "ranking-item": ("translation",),
    "translation": (),
}
REQUIRED = {"ranking-item": ("id", "user"), "translation": ("rank", "system")}


def parse_appraise_xml(
    lines: Sequence[str], scope: Scope, shown: str, findings: Findings
) -> Rankings:
    """Return the judgments; each fault becomes a finding and its item or system is left out.

    A document type definition is refused, and with it entities of any kind.
    """
    reader = _Reader(scope, shown, findings)
    if not is_read(reader, lines, shown, findings, CHILDREN[DOCUMENT], "Appraise's XML"):
        return Rankings()
    rankings = rankings_of_items(reader.items, scope, shown, findings)
    rankings.other_documents = reader.other_documents
    rankings.items += reader.other_documents.total()
    return rankings


class _Reader(LineReader):
    """Collects the items of a document whose structure is as it should be."""

    def __init__(self, scope: Scope, shown: str, findings: Findings) -> None:
        super().__init__()
        self.items: list[Item] = []
        self.other_documents: Counter[str] = Counter()
        self._scope = scope
        self._shown = shown
        self._findings = findings
        self._open = [DOCUMENT]
        self._skipped_depth = 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX's name
        """Begin an element, or skip one that does not belong here."""
        allowed = CHILDREN[self._open[-1]]
        if self._skipped_depth or name not in allowed:
            if not self._skipped_depth:
                self._add(
                    f"the element {quote(name)} in {self._open[-1]}",
                    " or ".join(f"<{child}>" for child in allowed) or "no element",
                    "Remove it; docs/corpora.md shows Appraise's XML.",
                )
            self._skipped_depth += 1
            return
        self._open.append(name)
        values = {key: value.strip() for key, value in attrs.items()}
        if name == "ranking-item" and self._is_of_other_document(values):
            self.other_documents[values.get("doc-id", "")] += 1
            self._open.pop()
            self._skipped_depth = 1
            return
        complete = self._check_attributes(name, values)
        if name == "ranking-item":
            self._begin_item(values)
        elif name == "translation" and complete:
            systems = tuple(values["system"].replace(",", " ").split())
            self.items[-1].cells.append(Cell(self.line, systems, values["rank"]))

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802 - SAX's name
        """End an element."""
        if self._skipped_depth:
            self._skipped_depth -= 1
        else:
            self._open.pop()

    def characters(self, content: str) -> None:
        """Refuse text: all that counts stands in attributes."""
        if content.strip() and not self._skipped_depth:
            self._add(
                f"the text {quote(content.strip())} in {self._open[-1]}",
                "no text",
                "Remove it, or write it as an attribute.",
            )

    def _is_of_other_document(self, values: dict[str, str]) -> bool:
        documents = self._scope.documents
        return bool(documents) and values.get("doc-id", "") not in documents

    def _begin_item(self, values: dict[str, str]) -> None:
        sentence = "src-id" if "src-id" in values else "id"
        self.items.append(
            Item(
                self.line,
                values.get("user", ""),
                values.get("id", ""),
                self._scope.sentence_id(
                    values.get(sentence, ""), sentence, self._shown, self.line, self._findings
                ),
                is_numbered=sentence != "id",
            )
        )

    def _check_attributes(self, element: str, values: dict[str, str]) -> bool:
        missing = [key for key in REQUIRED.get(element, ()) if not values.get(key)]
        for key in missing:
            found = "an empty" if key in values else "no"
            self._add(
                f"{found} attribute {key} of <{element}>",
                f"<{element} {' '.join(f'{key}=...' for key in REQUIRED[element])}>",
                f"Add {key}; docs/corpora.md shows Appraise's XML.",
            )
        return not missing

    def _add(self, found: str, expected: str, remedy: str) -> None:
        self._findings.add(self._shown, self.line, found, expected, remedy)
