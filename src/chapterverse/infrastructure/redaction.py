"""Microsoft's Presidio as the redactor: patterns, and a spaCy model that finds names where one is installed.

https://microsoft.github.io/presidio/. Nothing is downloaded: neither a model nor the list of domains of Presidio's e-mail
recognizer, so addresses are recognized by their form."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from unicodedata import normalize

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, EntityRecognizer
    from presidio_analyzer.nlp_engine import NlpEngine
    from presidio_anonymizer import AnonymizerEngine

LANGUAGE = "en"
PERSON, EMAIL, ID = "PERSON", "EMAIL_ADDRESS", "ID"
ENTITIES = [PERSON, EMAIL, ID, "PHONE_NUMBER", "IBAN_CODE", "CREDIT_CARD", "IP_ADDRESS"]

NUMBERS = (  # personal numbers: after a word or letters, or of seven digits and more
    r"\b(?:student|matriculation|enrol+ment|user|staff)\s*(?:id|no|number|nr)\b\.?\s*(?:is\s*)?[:#]?\s*[a-z]{0,4}-?\d{3,12}\b"
    r"|\b[a-z]{1,4}[-_]?\d{5,12}\b|\b\d{7,12}\b"
)

MIN_PART = 3  # characters of a part of a name that is redacted alone: "Li" is often a word

ALSO_WORDS = {  # names that are words in lower case
    *"art bill bob dawn drew faith frank grace grant hope jack joy june lane".split(),  # noqa: SIM905
    *"lee major mark may miles pat price ray rich rob rose ruth sue summer violet wade ward will wood young".split(),  # noqa: SIM905
}


@dataclass(frozen=True)
class PresidioRedactor:
    """Removes personal data; tests/contract/test_redactor.py. model: a folder of a spaCy model that recognises names; empty:
    the one that is installed. Without any: patterns and known names alone."""

    model: str = ""

    def redact(self, texts: Sequence[str], names: Sequence[str] = ()) -> list[str]:
        """Each text with "<PERSON>", "<EMAIL_ADDRESS>", "<PHONE_NUMBER>", "<ID>" … in place of personal data: the names given,
        whole or in parts, and anything that looks like an address or a person's number. Deterministic."""
        known = list(_name_recognizers(names))
        return [self._redacted(text, known) if text.strip() else text for text in texts]

    def _redacted(self, text: str, known: list[EntityRecognizer]) -> str:
        found = self._analyzer.analyze(text, LANGUAGE, entities=ENTITIES, ad_hoc_recognizers=known)
        return str(self._anonymizer.anonymize(text, found).text)  # type: ignore[arg-type]  # the analyzer's results fit the anonymizer

    @cached_property
    def _analyzer(self) -> AnalyzerEngine:
        from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
        from spacy.util import get_installed_models

        logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)  # at DEBUG it logs names
        registry = RecognizerRegistry(list(_pattern_recognizers()), supported_languages=[LANGUAGE])
        model = self.model or min(get_installed_models(), key=lambda name: not name.startswith(f"{LANGUAGE}_"), default="")
        engine = _engine(model)
        if model:
            registry.add_nlp_recognizer(engine)
        return AnalyzerEngine(registry, engine, supported_languages=[LANGUAGE])

    @cached_property
    def _anonymizer(self) -> AnonymizerEngine:
        from presidio_anonymizer import AnonymizerEngine

        logging.getLogger("presidio-anonymizer").setLevel(logging.ERROR)
        return AnonymizerEngine()  # type: ignore[no-untyped-call]


def _engine(model: str) -> NlpEngine:
    from presidio_analyzer.nlp_engine import NoOpNlpEngine, SpacyNlpEngine

    models = [{"lang_code": LANGUAGE, "model_name": model}]
    if not model:
        return NoOpNlpEngine(models)
    engine = SpacyNlpEngine(models)
    engine.load()
    return engine


def _pattern_recognizers() -> Iterator[EntityRecognizer]:
    from presidio_analyzer import Pattern, PatternRecognizer, predefined_recognizers

    yield PatternRecognizer(EMAIL, patterns=predefined_recognizers.EmailRecognizer.PATTERNS)
    yield PatternRecognizer(ID, patterns=[Pattern("number of a person", NUMBERS, 0.5)])
    yield predefined_recognizers.PhoneRecognizer()
    yield predefined_recognizers.IbanRecognizer()
    yield predefined_recognizers.CreditCardRecognizer()
    yield predefined_recognizers.IpRecognizer()


def _name_recognizers(names: Sequence[str]) -> Iterator[EntityRecognizer]:
    """A recognizer for names in any case, and one for names that are also words, in exact case."""
    from presidio_analyzer import PatternRecognizer

    each = dict.fromkeys(form for name in names for form in _forms(name))
    words = [form for form in each if form.lower() in ALSO_WORDS]
    if others := [form for form in each if form not in words]:
        yield PatternRecognizer(PERSON, deny_list=others, name="names")
    if words:
        yield PatternRecognizer(PERSON, deny_list=words, name="names that are words", global_regex_flags=re.MULTILINE)


def _forms(name: str) -> Iterator[str]:
    """The whole name, then its parts, in both Unicode forms of accents."""
    parts = [part for part in re.split(r"[\s,.]+", name) if len(part) >= MIN_PART]
    for form in (" ".join(name.split()), *parts):
        if form:
            yield from (normalize("NFC", form), normalize("NFD", form))
