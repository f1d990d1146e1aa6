"""Feedback as Markdown: each comment once, in order, then the Evidence section in S1's form."""

from dataclasses import replace

from chapterverse.citations.model import Relation
from chapterverse.essays.model import Comment, Place, TeacherEdits
from chapterverse.essays.offline import correction
from chapterverse.essays.render import feedback_markdown
from chapterverse.essays.task import Criterion
from chapterverse.messages import in_words, message
from tests.support.essays import ESSAY, evidence_on, found_on, some_feedback

AGAINST = found_on(ESSAY, evidence_on(0, relation=Relation.CONTRADICTS))


def test_each_comment_stands_once_with_its_place_and_its_evidence() -> None:
    text = feedback_markdown(replace(some_feedback(AGAINST), summary="A clear start."))

    assert text.startswith("# Feedback on “Speech”\n\nA clear start.\n")
    assert text.count("What follows for school?") == 1
    assert "  - **Evidence #1** (On Liberty, Chapter II, Page 35) – Contradicts your point" in text


def of_rule(why: str, *places: Place) -> Comment:
    return replace(correction(why, places), number=9)


def test_the_first_rules_come_with_two_places_each_and_the_others_in_a_line_each_place_once() -> None:
    often = of_rule("A small letter.", *(Place(0, about, "x") for about in ((0, 9), (10, 17), (18, 22), (23, 25))))
    rules = [
        often,
        *(
            of_rule(why, Place(1, about, "my"))
            for why, about in (("", (0, 2)), ("Two.", (3, 8)), ("Three.", (9, 16)), ("Four.", (17, 24)))
        ),
    ]

    text = feedback_markdown(replace(some_feedback(), comments=(Comment(1, "Why?", number=2), *rules)))

    why, heading, *listed = [line for line in text.partition("Evidence Used:")[0].splitlines() if line.startswith(("- ", "**"))]
    assert (why[-4:], heading) == ("Why?", "**Language: practise this first**")
    assert listed == [
        "- A small letter: “Silencing” → **x** (1); “opinion” → **x** (1); 2 more to find (1)",
        "- Other corrections: “My” → **my** (2)",
        "- Two: “phone” → **my** (2)",
        "- Three: “battery” → **my** (2)",
        "- + 3 more: “robs” → **x** (1); “us of” → **x of** (1); “empties quickly” → **my quickly** (2)",
    ]


def test_the_evidence_section_has_the_sentence_between_its_neighbours_and_its_place() -> None:
    section = feedback_markdown(some_feedback()).partition("Evidence Used:\n")[2]

    first, place = section.splitlines()
    assert first.startswith("1. *Some wish it were otherwise. **Silencing an opinion robs mankind of truth.** So much")
    assert place == "    (On Liberty, Chapter II, Page 35)"


def test_what_looks_like_mark_up_is_text() -> None:
    found = found_on("# *Speech*\n\n[Silence](x) <b>robs</b> us.")

    text = feedback_markdown(replace(some_feedback(found), summary="*now*"))

    assert "\\*now\\*" in text
    assert "<b>" not in text.replace("\\<", "")


def test_rubric_note_and_grade_are_those_of_the_teacher() -> None:
    rubric, edits = (Criterion("Gives reasons", 2, ("fully", "partly")),), TeacherEdits(note="Well done.", grade="2+")
    feedback = replace(some_feedback(), rubric=rubric, edits=edits, notes=(message("not_judged"),), by="a-model")

    text, german = feedback_markdown(feedback), feedback_markdown(feedback, language="de")

    assert all(each in text for each in ("Well done.", "Grade: 2+", "Gives reasons", "  - fully", "A language model (a-model)"))
    assert str(message("not_judged")) in text
    assert all(each in german for each in ("Note: 2+", in_words(message("not_judged"), "de")))


def test_the_words_around_are_in_the_essays_language() -> None:
    german = "# Rede\n\nWer eine Meinung zum Schweigen bringt, der nimmt uns allen die Wahrheit weg, und das ist nicht gut."

    text = feedback_markdown(some_feedback(found_on(german, evidence_on(0, relation=Relation.LIMITS))))

    assert "Rückmeldung zu „Rede“" in text
    assert "Verwendete Belege:\n" in text
    assert "(On Liberty, Kapitel II, Seite 35)\n    Schränkt den Gedanken ein" in text
