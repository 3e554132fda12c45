"""Built-in metrics that differ from another one in a detail: lists show them on request."""

from types import MappingProxyType

VARIANT_OF = MappingProxyType({
    "cleme2_independent": "cleme2",
    "cleme_independent": "cleme",
    "cleme_length": "cleme",
    "cleme_length_declared": "cleme",
    "cleme_length_independent": "cleme",
    "cleme_length_independent_declared": "cleme",
    "errant_no_error": "errant",
    "gleu_equation": "gleu",
    "gotoscorer_unweighted": "gotoscorer",
    "green_f1": "green",
    "ibleu_minus": "ibleu",
    "imeasure_mix": "imeasure",
    "lt37": "lt",
    "lt_maege2018": "lt",
    "lt_napoles2016": "lt",
    "m2_no_error": "m2",
    "max_sari": "sari",
    "meaning_meteor": "meaning",
    "sari_easse": "sari",
    "sari_hf": "sari",
})  # fmt: skip
