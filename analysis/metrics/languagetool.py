"""LanguageTool's configurations as metrics: grammaticality without any reference.

Napoles, Sakaguchi and Tetreault 2016, "There's no comparison: reference-less evaluation metrics in
grammatical error correction":

    score = 1 - errors / tokens

`lt` is LanguageTool 6.6 without four rules that match in nearly every tokenised text.
`lt_napoles2016` is the paper's version 3.1 without the same rules. `lt37` is version 3.7, from the
year of Asano et al. 2017. `lt_maege2018` is version 3.7 with all rules as in the MAEGE paper's run,
which divided by the number of spaces of a normalised text. `grammaticality`, a part of
`referenceless`, is `lt` limited to at least 0.
"""

import shutil
from dataclasses import dataclass

from maege.analysis.code import code_behind_module
from maege.analysis.extraction.pipeline import Missing
from maege.analysis.languagetool.installation import (
    ENGLISH,
    INSTALL,
    LEGACY_PROGRAM,
    SERVER_VERSION,
    find,
    language_code,
    languages,
    server_url,
)
from maege.analysis.texts import content_key

# Rules that match spaces around punctuation and lone quotation marks.
TOKENISATION_RULES = (
    "COMMA_PARENTHESIS_WHITESPACE",
    "EN_QUOTES",
    "EN_UNPAIRED_BRACKETS",
    "WHITESPACE_RULE",
)
# Rules that have another name in English.
_IN_OTHER_LANGUAGES = {"EN_UNPAIRED_BRACKETS": "UNPAIRED_BRACKETS"}
# Rules of some languages for spaces around punctuation and quotation marks. They match tokenised
# texts but not the same texts before tokenisation. Ukrainian has none.
_SPACES_IN_OTHER_LANGUAGES = {
    "ca": ("ESPAIS_SOBRANTS",),
    "de": ("LEERZEICHEN_NACH_VOR_ANFUEHRUNGSZEICHEN", "LEERZEICHEN_VOR_AUSRUFEZEICHEN_ETC"),
    "es": ("INCORRECT_SPACES",),
    "pt": ("PARENTESESE_AND_QUOTES_SPACING", "SPACE_BEFORE_PUNCTUATION2"),
}
STATISTICS = ("errors", "tokens")
ENABLE = "maege languagetool enable"
# Metrics that `maege languagetool enable` selects, in addition to the variable `metrics`.
ENABLED_METRICS = ("lt", "lt_maege2018", "grammaticality", "referenceless")
# About a hundred texts per second: a request costs as much as a thousand n-gram comparisons.
COST = 1000


def rules_in(language: str, rules: tuple[str, ...]) -> tuple[str, ...]:
    name = language.split("-")[0]
    if name == ENGLISH:
        return rules
    space_rules = _SPACES_IN_OTHER_LANGUAGES.get(name, ()) if "WHITESPACE_RULE" in rules else ()
    return (*(_IN_OTHER_LANGUAGES.get(rule, rule) for rule in rules), *space_rules)


@dataclass(frozen=True)
class GrammarMetric:
    """`counts` names the divisor of the errors: `tokens` of the text, or `normalised_spaces`."""

    name: str
    languagetool: str
    disabled_rules: tuple[str, ...]
    counts: str
    source: str
    least: float | None = None

    @property
    def languages(self) -> frozenset[str]:
        return languages(self.languagetool)

    @property
    def other_languages(self) -> str:
        if self.languagetool != SERVER_VERSION:
            return f"{SERVER_VERSION} has more languages than {self.languagetool}: metric lt"
        return (
            "install the extra languagetool, then all languages into another folder, which stays "
            f"named: LANGUAGETOOL_HOME=FOLDER {INSTALL} --version {SERVER_VERSION} (Maven's copy "
            "has en, ca, es, pt); or name a server that has it in LANGUAGETOOL_URL"
        )

    @property
    def sent_rules(self) -> tuple[str, ...]:
        # Version 6.6 reports only one of several overlapping matches, so rules must be disabled for
        # other matches to appear. With older versions, their matches are removed afterwards.
        return self.disabled_rules if self.languagetool == SERVER_VERSION else ()

    def check_signature(self, language: str = ENGLISH) -> str:
        off = ",".join(rules_in(language, self.sent_rules))
        return f"languagetool:{self.languagetool}|language:{language_code(language)}|off:{off}"

    def check_key(self, language: str = ENGLISH) -> int:
        program = LEGACY_PROGRAM.read_text(encoding="utf-8")
        code = code_behind_module("maege.analysis.languagetool")
        # Texts in `fr` and `fr-LU` get the same check, but they are different texts.
        signature = self.check_signature(language)
        if language != ENGLISH:
            signature = f"{signature}|texts:{language}"
        return content_key(f"{signature}|{code}|{program}")

    def signature(self) -> str:
        off = ",".join(self.disabled_rules)
        least = "" if self.least is None else f"|least:{self.least:g}"
        return (
            f"{self.name}|version:1|languagetool:{self.languagetool}|off:{off}|counts:{self.counts}"
            f"{least}"
        )

    @property
    def missing(self) -> Missing | None:
        if self.languagetool == SERVER_VERSION and server_url():
            return None
        if find(self.languagetool) is None:
            return Missing(
                f"LanguageTool {self.languagetool} is not installed", f"{INSTALL}, then maege build"
            )
        if shutil.which("java") is None:
            return Missing("Java is missing", "install Java 17, then maege build")
        return None

    @property
    def unselected(self) -> Missing | None:
        """Why the metric is not scored if it is not selected; None: the variable excludes it."""
        if self.name not in ENABLED_METRICS:
            return self.missing
        if missing := self.missing:
            return Missing(missing.reason, missing.remedy.replace(", then", f" and {ENABLE}, then"))
        return Missing(
            f"LanguageTool {self.languagetool} is available, but not enabled in this project",
            f"{ENABLE}, then maege build",
        )


GRAMMAR_METRICS = {
    metric.name: metric
    for metric in (
        GrammarMetric("lt", "6.6", TOKENISATION_RULES, "tokens", "Napoles et al. 2016, with 6.6"),
        GrammarMetric("lt_napoles2016", "3.1", TOKENISATION_RULES, "tokens", "Napoles et al. 2016"),
        GrammarMetric("lt37", "3.7", TOKENISATION_RULES, "tokens", "Napoles et al. 2016, with 3.7"),
        GrammarMetric(
            "lt_maege2018", "3.7", (), "normalised_spaces", "Choshen and Abend 2018, as run"
        ),
        GrammarMetric(
            "grammaticality",
            "6.6",
            TOKENISATION_RULES,
            "tokens",
            "Asano et al. 2017, by LanguageTool instead of a trained model",
            least=0.0,
        ),
    )
}
