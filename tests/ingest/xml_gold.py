"""The I-measure's XML as plain values, read by a parser independent of the warehouse's."""

from typing import NamedTuple

from defusedxml import ElementTree


class XmlError(NamedTuple):
    error_id: str | None
    required: str | None
    error_type: str
    alternatives: list[tuple[str, list[tuple[str | None, str | None, str]]]]


class XmlSentence(NamedTuple):
    sentence_id: str | None
    annotators: str | None
    text: str | None
    errors: list[XmlError]


def xml_sentences(xml: str) -> list[XmlSentence]:
    """Return every sentence of a document."""
    return [
        XmlSentence(
            sentence.get("id"),
            sentence.get("numann"),
            sentence.findtext("text"),
            [
                XmlError(
                    error.get("id"),
                    error.get("req"),
                    error.get("type") or "",
                    [
                        (
                            alternative.get("ann") or "",
                            [(c.get("start"), c.get("end"), c.text or "") for c in alternative],
                        )
                        for alternative in error
                    ],
                )
                for error in sentence.iter("error")
            ],
        )
        for sentence in ElementTree.fromstring(xml.encode()).iter("sentence")
    ]
