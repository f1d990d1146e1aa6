"""What the redactor must do: by patterns alone, and with a model that recognises names."""

from pathlib import Path

import pytest

from chapterverse.infrastructure.redaction import PresidioRedactor

NAMES = ("Ada Lovelace", "Will Smith", "May Jones", "Zoë O'Neill")


def a_name_model(folder: Path) -> Path:
    """A spaCy pipeline that knows one name, which nobody has told us."""
    import spacy

    pipeline = spacy.blank("en")
    pipeline.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Grace Hopper"}])
    pipeline.to_disk(folder / "names")
    return folder / "names"


@pytest.fixture(scope="module", params=["patterns", "model"])
def redactor(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> PresidioRedactor:
    return PresidioRedactor(str(a_name_model(tmp_path_factory.mktemp("spacy"))) if request.param == "model" else "")


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("I am Ada Lovelace.", "I am <PERSON>."),
        ("ADA LOVELACE, or ada lovelace", "<PERSON>, or <PERSON>"),
        ("Lovelace's exam", "<PERSON>'s exam"),
        ("What will May do in may?", "What will <PERSON> do in may?"),
        ("Zoe\u0308 wrote", "<PERSON> wrote"),
        ("Mail ada@uni.example.org today", "Mail <EMAIL_ADDRESS> today"),
        ("Call +44 20 7946 0958", "Call <PHONE_NUMBER>"),
        ("I am s1234567", "I am <ID>"),
        ("My matriculation number is 4711", "My <ID>"),
        ("IBAN DE89370400440532013000", "IBAN <IBAN_CODE>"),
    ],
)
def test_who_somebody_is_is_taken_out(redactor: PresidioRedactor, text: str, redacted: str) -> None:
    assert redactor.redact([text], NAMES) == [redacted]


def test_what_says_nothing_of_anybody_stays_and_texts_come_back_in_their_order(redactor: PresidioRedactor) -> None:
    room = "Which form do I need for week 12, room 204, on 2026-11-20 at 10:30?"
    plain = ["", " \n", room, "The fee is 25 euros (rule 7.3).", "I will!"]
    assert redactor.redact(plain, NAMES) == plain
    assert redactor.redact(["I am Ada.", "Who?"], ["Ada"]) == ["I am <PERSON>.", "Who?"]
    assert redactor.redact([], ["Ada"]) == []


def test_a_model_finds_names_that_nobody_has_told(tmp_path: Path) -> None:
    redactor = PresidioRedactor(str(a_name_model(tmp_path)))

    assert redactor.redact(["Ask Grace Hopper."]) == ["Ask <PERSON>."]
