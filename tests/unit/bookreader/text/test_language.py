"""Text of broken fonts is told from text of any language."""

from random import Random

import pytest

from bookreader.book import BookId
from bookreader.errors import BadFile
from bookreader.pdf.parse import parse_book
from bookreader.text.language import is_language, shifted
from tests.support.pdfs import a_pdf

ENGLISH = (
    "The object of this essay is to assert one very simple principle, as entitled to govern absolutely the dealings of society"
    " with the individual in the way of compulsion and control. A corporation may print what it likes, and people may read it"
    " or leave it, because nobody is forced to believe what stands in a book; and whoever thinks otherwise may write another"
    " book that says so, and leave the choice to those who read both of them with the same patience and the same doubt."
)
OTHERS = {
    "German": "Zweck dieser Abhandlung besteht darin, einen sehr einfachen Grundsatz aufzustellen, welcher das Verhältnis der"
    " Gesellschaft zum Individuum vollständig regeln soll, sowohl hinsichtlich des Zwanges als auch der Aufsicht.",
    "French": "Le but de cet essai est de poser un principe fort simple, qui doit régler absolument les rapports de la société"
    " avec les individus, dans tout ce qui est contrainte ou contrôle, que le moyen employé soit la force physique ou non.",
    "Polish": "Celem tej rozprawy jest stwierdzenie bardzo prostej zasady, która powinna całkowicie rządzić stosunkiem"
    " społeczeństwa do jednostki w dziedzinie przymusu. Chrząszcz brzmi w trzcinie w Szczebrzeszynie, a wszyscy słuchają.",
    "Finnish": "Tämän kirjoituksen tarkoituksena on esittää hyvin yksinkertainen periaate, jonka tulisi ehdottomasti ohjata"
    " yhteiskunnan suhdetta yksilöön pakon ja valvonnan alalla, käytettiinpä keinona fyysistä voimaa tai muuta.",
    "Russian": "Цель этой книги состоит в том, чтобы установить очень простое начало, которое должно вполне определять"
    " отношения общества к отдельному лицу во всем, что касается принуждения и надзора, какими бы они ни были.",
    "a table": " ".join(f"{n} {n * 7 % 100}.{n} kg/m" for n in range(200)),
    "names": " ".join(["Szczepański", "Kowalczyk", "Müller", "Ng", "Nguyen", "Papadopoulos", "Hrvatski", "Krzyżanowski"] * 12),
}


@pytest.mark.parametrize("text", [*OTHERS.values(), ENGLISH], ids=[*OTHERS, "English"])
def test_a_text_in_any_language_is_one_and_so_are_a_few_words(text: str) -> None:
    words = text.split()

    assert is_language(text)
    assert all(is_language(" ".join(words[at : at + 14])) for at in range(0, len(words) - 14, 4))


@pytest.mark.parametrize("shift", [1, -1, 3, -29, 31, 100, 1174, 40_000])
def test_a_text_whose_letters_are_shifted_is_none(shift: int) -> None:
    garbage = [shifted(word, shift) for word in ENGLISH.split()]

    assert not is_language(" ".join(garbage))
    for words in (30, 60):
        assert not is_language(garbled(" ".join(ENGLISH.split()[:words])))


def test_a_text_of_mixed_or_unreadable_letters_is_none_and_a_short_one_is_not_judged() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    mixed = str.maketrans(letters, "".join(Random(3).sample(letters, 26)))
    assert not is_language(ENGLISH.lower().translate(mixed))

    assert not is_language(ENGLISH.replace("e", "\ufffd").replace("t", "\ufffd").replace("a", "\ufffd"))

    assert is_language("Dpsqpsbujpo")


def garbled(text: str) -> str:
    return " ".join("".join(chr(ord(c) + 1) if c.isalpha() else c for c in word) for word in text.split())


def test_a_book_that_is_mostly_garbage_is_refused_and_one_such_page_left_out_and_named() -> None:
    with pytest.raises(BadFile, match=r"cannot be read.*OCR") as caught:
        parse_book(a_pdf(garbled(ENGLISH), garbled(ENGLISH), ENGLISH), BookId("b"))
    assert caught.value.reason == "no_language"

    book = parse_book(a_pdf(ENGLISH, garbled(ENGLISH), ENGLISH), BookId("b"))
    assert not any("Uif" in sentence.text for sentence in book.sentences)
    assert {place.page_index for sentence in book.sentences for place in sentence.address.places} == {0, 2}
    assert "left out: 2. Run text recognition" in str(book.report.warnings[0])
