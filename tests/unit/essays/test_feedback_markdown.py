from dataclasses import replace
from textwrap import dedent

from markdown_it import MarkdownIt

from chapterverse.citations.model import Verdict, VerdictKind
from chapterverse.essays.model import Citation, Comment, Dimension, Review
from chapterverse.essays.render import feedback_markdown
from chapterverse.essays.service import Feedback
from chapterverse.messages import plain
from tests.support.essays import ESSAY, a_subject, evidence_on, found_on

CITED = Citation(evidence_on(0), Verdict(VerdictKind.SUPPORTS, plain("It says so.")))
COMMENTS = (
    Comment(0, "Well said.", citations=(CITED,), number=1, rule="works.this"),
    Comment(1, "Wrong word.", about=(3, 8), instead="tablet", number=2, rule="wording.that"),
    Comment(None, "All in all good.", number=3, rule="wording.that"),
)


def test_feedback_reads_like_the_design() -> None:
    review = Review(Dimension.CONTENT, COMMENTS, checked=("this",), not_checked=("that", "the rest"), notes=("Time was up.",))

    text = feedback_markdown(Feedback(found_on(a_subject()), (review,)))

    assert text == dedent("""\
        # Feedback on “Speech”

        ## First

        - **Paragraph 1** (“Silencing opinion robs us of truth. My uncle …”): Well said.
          - *On Liberty*: “Silencing an opinion robs mankind of truth.” (**Evidence #1**)
        - **Paragraph 2** (“phone”): Wrong word. Perhaps: **tablet** (1 more like this)

        ## Content

        **Words (1)**

        - **The whole essay**: All in all good.

        Paragraph 2: Nothing was found in your books for this paragraph.  
        Time was up.  
        Checked: this.  
        Not checked: that; the rest.

        Evidence Used:
        1. *Some wish it were otherwise. **Silencing an opinion robs mankind of truth.** So much is certain.*
            (On Liberty, Chapter II, Page 35)
            The book seems to say the same.""")  # noqa: W291 (two blanks are a line end in Markdown)


def test_a_teacher_is_told_the_numbers_that_comments_are_marked_by() -> None:
    numbered = tuple(replace(one, number=number) for number, one in enumerate(COMMENTS, start=4))

    text = feedback_markdown(Feedback(found_on(a_subject()), (Review(Dimension.CONTENT, numbered),)), numbers=True)

    assert "- content 5 · **Paragraph 2** (“phone”): Wrong word." in text


def test_a_dimension_on_which_there_is_nothing_to_say_says_so() -> None:
    text = feedback_markdown(
        Feedback(found_on(a_subject()), (Review(Dimension.FEATURES, (), by="a_model", checked=("form",)),))
    )

    assert "- Nothing stood out." in text
    assert r"Checked by a\_model" in text


def test_mark_up_of_essay_and_book_is_text() -> None:
    subject = a_subject(ESSAY.replace("uncle", "<b>uncle</b> [x](http://evil)"), evidence_on(0, "A *star* [y](z)."))
    cited = Citation(subject.evidence[0], CITED.verdict)
    review = Review(Dimension.CONTENT, (Comment(0, "See <i>this</i>.", about=(36, 70), citations=(cited,)),))

    html = MarkdownIt("commonmark").render(feedback_markdown(Feedback(found_on(subject), (review,))))

    assert not any(tag in html for tag in ("<b>", "<i>", "<a "))


def test_a_sentence_that_is_not_what_is_printed_is_not_quoted() -> None:
    evidence = evidence_on(0)
    sentence = replace(evidence.passage.sentence, quotable=False)
    citation = replace(CITED, evidence=replace(evidence, passage=replace(evidence.passage, sentence=sentence)))
    review = Review(Dimension.CONTENT, (Comment(0, "Well said.", citations=(citation,)),), checked=("this",))

    text = feedback_markdown(Feedback(found_on(a_subject()), (review,)))

    assert "  - *On Liberty* (**Evidence #1**)" in text.splitlines()
