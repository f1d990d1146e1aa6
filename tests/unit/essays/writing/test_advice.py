import pytest

from chapterverse.essays.model import Comment, CommentKind, Dimension, Review, Style, Tone, kind_of
from chapterverse.essays.writing.advice import on_argument
from chapterverse.essays.writing.argument import outline_of
from chapterverse.essays.writing.praise import with_works
from chapterverse.essays.writing.relevance import UNRELATED
from chapterverse.essays.writing.rules import RuleContext
from tests.support.essays import a_subject

DEEPER = frozenset({"reasons.words", "reasons.liked"})
"""Rules that only ask an essay that lacks little."""
LONG = "Cats sleep at noon, and dogs walk at night with nobody beside them. " * 14
SHORT = "Cats should sleep at school. They are so quiet that nobody would ever hear them do it. "
STORY = "Yesterday we went to the lake. I was so scared when my brother jumped into the water. He laughed and swam away."


def looking(text: str, tone: Tone = Tone.KIND) -> RuleContext:
    return RuleContext(a_subject(text), Style(tone=tone))


def every_question(text: str) -> list[tuple[str, str]]:
    """Rule and words of each question."""
    look = looking(text)
    found = on_argument(look, outline_of(look), ())
    return [(one.rule, look.text(one.paragraph or 0)[slice(*one.about or ())]) for one in found]


def asked(text: str) -> list[tuple[str, str]]:
    """Rule and words of the questions about what the text lacks."""
    return [each for each in every_question(text) if each[0] not in DEEPER]


def praised(text: str, tone: Tone = Tone.KIND) -> list[tuple[str, str]]:
    look = looking(text, tone)
    comments = with_works(Review(Dimension.CONTENT, ()), look, outline_of(look)).comments
    assert all(kind_of(one, Dimension.CONTENT) is CommentKind.WORKS for one in comments)
    return [(one.rule, look.text(one.paragraph or 0)[slice(*one.about or ())]) for one in comments]


def test_nothing_works_in_a_paragraph_that_has_nothing_to_do_with_the_task() -> None:
    look = looking("Cats should sleep at school because they are quiet.\n\nMy phone goes from 40 percent to 0 in 10 minutes.")
    off = Comment(0, "What does this tell your reader?", rule=UNRELATED)
    related = with_works(Review(Dimension.CONTENT, ()), look, outline_of(look)).comments
    review = with_works(Review(Dimension.CONTENT, (off,)), look, outline_of(look))

    assert [one.paragraph for one in related] == [0]
    assert 0 not in [one.paragraph for one in review.comments if one is not off]


def test_a_short_text_is_asked_for_an_example_if_it_has_none() -> None:
    claim = "I think that cats should sleep at school."
    reason = "One reason is that they are so quiet that nobody would ever hear them do it in a room full of children."

    assert asked(f"{claim} {reason} They eat little, and they make everybody calm when a test is near.") == [
        ("reasons.example", reason)
    ]
    assert (
        asked(f"{claim} {reason} My brother has one that does it, and nobody has ever complained about her in all the time.")
        == []
    )


def test_a_definition_and_an_explanation_are_not_asked_for_an_example() -> None:
    text = (
        "I think that cats should sleep at school. Also a cat is an animal that sleeps at noon, and it is calm when a test is"
    )
    rest = "near. They eat little, and they make everybody calm in a room full of children who learn for it at a table."

    assert "reasons.example" not in [rule for rule, _ in asked(f"{text} {rest}")]


def test_what_should_be_is_not_asked_for_an_example() -> None:
    text = "I think that cats should sleep at school. One reason is that every school ought to be calm when a test is near."

    assert asked(f"{text} They eat little, and they make everybody happy in a room full of children who learn for it.") == []


def test_one_sentence_is_asked_one_question() -> None:
    places = [words for _, words in asked("Most teens look at their phones when they drive. They should stop, I think. " * 3)]

    assert len(places) == len(set(places))


def test_the_other_side_that_nothing_answers_is_asked_for_the_answer() -> None:
    text = "I think cats should sleep here.\n\nSome people say that cats are lazy. {}\n\nSo let them sleep."

    assert asked(text.format("They are said to sleep all day.")) == [("reasons.answer", "Some people say that cats are lazy.")]
    assert "reasons.answer" not in [rule for rule, _ in asked(text.format("But they hunt all night."))]


def test_a_story_that_names_a_feeling_is_asked_to_let_it_be_seen() -> None:
    [(rule, words)] = asked(STORY)

    assert rule == "reasons.feeling"
    assert words.startswith("I was so scared")


def test_an_essay_that_takes_no_side_is_asked_for_one_where_it_weighs_something_up() -> None:
    text = "Zoos are old. Some save animals, others hurt them.\n\nEverybody can decide that for himself."

    assert ("reasons.claim", "Everybody can decide that for himself.") in asked(text)
    assert "reasons.claim" not in [rule for rule, _ in asked(f"{text} I think that zoos are wrong.")]


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("Scientists have proved that cats dream at night.", True),
        ("According to research, cats should sleep a lot.", True),
        ("A study from Norway in 2019 found that cats dream.", True),
        ("According to a survey by the Pew Research Center, cats dream.", False),
        ("The study found that cats dream.", False),
    ],
)
def test_research_without_a_name_is_asked_whose_it_is(text: str, is_asked: bool) -> None:
    assert ("reasons.who" in [rule for rule, _ in asked(f"I think cats are best. {text}")]) is is_asked


def test_several_reasons_in_one_sentence_are_asked_which_is_the_strongest() -> None:
    text = "Cats should sleep because they are tired and they are old and they like it."

    assert "reasons.list" in [rule for rule, _ in asked(text)]
    assert "reasons.list" not in [rule for rule, _ in asked(f"{text}\n\nThey are tired.\n\nThey are old.")]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Then their grades will go down.", "reasons.effect"),
    ],
)
def test_what_is_assumed_is_asked_what_shows_it(text: str, rule: str) -> None:
    assert rule in [found for found, _ in asked(f"I think cats are best. {text} That is bad.")]
    assert rule not in [found for found, _ in asked(f"I think cats are best. {text} My uncle saw it.")]


def test_a_letter_that_only_invites_has_nothing_to_prove() -> None:
    assert asked("Dear Anna,\n\nOne reason is that you need to see our lake. It is so near that nobody gets tired.") == []


def test_a_story_is_asked_to_stay_where_something_happens() -> None:
    listed = "Then we ate. Then we swam. Then we ran. Then it got dark and we went home with my uncle."
    tense = f"We went home. {'I saw the lake and my uncle was there. ' * 8}I heard a lion. I went to bed."

    assert [rule for rule, _ in asked(f"We went to the lake and we were early. {listed}")] == ["reasons.moment"]
    assert asked(tense) == [("reasons.ending", "I went to bed."), ("reasons.moment", "I heard a lion.")]


def test_who_is_asked_enough_is_asked_no_further() -> None:
    text = "I think cats are best. Most dogs hate cats at night. Then their grades will go down. Everybody is happy with a cat."

    assert {rule for rule, _ in every_question(f"{text} {LONG}")} & DEEPER == set()


@pytest.mark.parametrize(
    ("text", "rule", "words"),
    [
        (
            "{} But a cat that sleeps all day wakes up when a mouse comes near. Cats should sleep.",
            "works.other_side",
            "Some people say that cats are lazy animals.",
        ),
        ("Cats should sleep. {} It was late.", "works.image", "A cat on a chair is like a king on his throne."),
        ("Cats sleep. {}", "works.source", "According to the London Zoo, a cat sleeps for twenty hours."),
        (
            "I think cats need a quiet home. {} It was very loud there.\n\nCats should sleep.",
            "works.example",
            "Last week my brother found a cat at the station.",
        ),
        ("{}\n\nCats sleep.", "works.opinion", "I think that everybody should have one cat at home."),
        ("We went home and saw him. {}", "works.speech", "“My cat is gone today,” he said to us."),
        ("Cats have fur. {}", "works.term", "The sound they make is called purring by many people."),
    ],
)
def test_what_surely_works_is_praised(text: str, rule: str, words: str) -> None:
    assert praised(text.format(words)) == [(rule, words)]


@pytest.mark.parametrize(
    "text",
    [
        "Ice melts because the sun is warm. That happens in spring.",
        "According to the mayor it was an amazing day for cats.",
        "Having said that, cats are often very tired animals.",
        "Marie Curie said “that cats are tired” to all of them.",
        "“The cats were here on Friday, according to the BBC.” That is so.",
        "According to Source 1, cats are often very tired animals.",
        "According to Ada Lovelace she says that cats are tired animals.",
        "For example, cats are often very good for children.",
        "Cats sleep.\n\nLast week my brother found a cat at the station.",
        "Last week my brother found a cat at the station, so it works.\n\nCats sleep.",
        "Cats sleep.\n\nIn my opinion everybody should have one cat at home.",
        "There are three reasons why everybody should have one cat.\n\nCats sleep.",
        "Cats should eat at noon? Everybody should have one cat at home.\n\nCats sleep.",
        "Some people say that cats are lazy animals. But this is not true, as everybody can see today.\n\nI agree.",
        "Some people say that cats are lazy animals. But they are just jealous of all of the cats.\n\nI agree.",
        "Some people say that cats are lazy animals. Cats sleep at night, and they eat a lot of fish.\n\nI agree.",
        "It was so long ago that my cat was born.",
        "The number of cats in the US was the highest in 2005.\n\nCats sleep.",
    ],
)
def test_where_nothing_is_sure_nothing_is_praised(text: str) -> None:
    assert praised(text) == []


def test_others_are_not_praised_in_a_complaint() -> None:
    said = "Some people say that the course is good. But a course of nine hours a week leaves me nothing to do."

    assert praised(f"Dear Sir,\n\n{said} You should close it.\n\nYours, Ann") == [
        ("works.other_side", said.partition(" But")[0])
    ]
    assert praised(f"Dear Sir,\n\n{said} You should pay me a refund.\n\nYours, Ann") == []


@pytest.mark.parametrize("name", ["Chicago Tribune", "Lena Marsh", "Bank of the North"])
def test_the_source_is_named_whole(name: str) -> None:
    look = looking(f"Cats sleep. According to the {name}, in a long report of last spring, cats sleep for twenty hours.")

    [praise] = with_works(Review(Dimension.CONTENT, ()), look, outline_of(look)).comments

    assert f"“{name}”" in praise.text


def test_a_plain_reader_praises_nothing() -> None:
    assert praised("I think cats should sleep because it is late.", Tone.PLAIN) == []
