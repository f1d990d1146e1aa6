from dataclasses import replace

import pytest

from chapterverse.core.ports import Signs
from chapterverse.essays.model import Comment, CommentKind, Dimension, Review, Style, Tone, kind_of
from chapterverse.essays.writing.advice import on_argument
from chapterverse.essays.writing.argument import outline_of
from chapterverse.essays.writing.praise import with_works
from chapterverse.essays.writing.relevance import UNRELATED
from chapterverse.essays.writing.rules import RuleContext
from tests.support.essays import a_subject

STORY = "Yesterday we went to the lake. I was so scared when my brother jumped into the water. He laughed and swam away."


def looking(text: str, tone: Tone = Tone.KIND) -> RuleContext:
    return RuleContext(a_subject(text), Style(tone=tone))


def asked(text: str) -> list[tuple[str, str]]:
    """Rule and words of the questions about what the text lacks."""
    look = looking(text)
    found = on_argument(look, outline_of(look), ())
    return [(one.rule, look.text(one.paragraph or 0)[slice(*one.about or ())]) for one in found]


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


NOTHING = Signs(0, 0, 0, 0)
EVERY = "Cats are calm.\n\n{} They sleep at noon.\n\nSo they should sleep at school."


def noticed(text: str, at: int = 1, **signs: float) -> RuleContext:
    """An essay at one of whose sentences the reader has noticed this, and nothing at any other."""
    look = looking(text)
    every = iter([*[NOTHING] * at, replace(NOTHING, **signs), *[NOTHING] * 99])
    return replace(look, signs=[[next(every) for _ in each.sentences] for each in look.subject.essay.paragraphs])


@pytest.mark.parametrize(
    ("sentence", "sign", "rule"),
    [
        ("Cats make children calm.", "develop", "reasons.develop"),
        ("In all, 90 of 100 vets agree.", "source", "reasons.source"),
        ("Some people say that cats are lazy.", "other_side", "reasons.answer"),
    ],
)
def test_what_the_reader_notices_is_asked_about_at_its_sentence(sentence: str, sign: str, rule: str) -> None:
    look = noticed(EVERY.format(sentence), **{sign: 0.9})
    not_sure = noticed(EVERY.format(sentence), **{sign: 0.3})

    [question] = [one for one in on_argument(look, outline_of(look), ()) if one.rule == rule]

    assert look.text(question.paragraph or 0)[slice(*question.about or ())] == sentence
    assert rule not in [one.rule for one in on_argument(not_sure, outline_of(not_sure), ())]


def test_what_research_shows_is_asked_for_its_source_unless_it_is_named() -> None:
    vague, about = "Studies have shown that cats calm children.", "Cats should sleep at school."

    assert ("reasons.source", vague) in asked(f"{about} {vague}")
    for named in ("Studies of Leeds University show it.", "The studies show it.", "Surveys show it (Brown 2019)."):
        assert "reasons.source" not in [rule for rule, _ in asked(f"{about} {named}")]


def test_an_essay_in_which_nothing_shows_that_it_is_so_is_asked_for_something() -> None:
    first = "First of all, cats are calm and children become calm beside them."
    body = f"{first} {'Calm children learn a lot and are nice to each other. ' * 12}"
    text = f"I think that cats should sleep at school.\n\n{body}{{}}\n\nThat is why cats should sleep there."

    assert asked(text.format("")) == [("reasons.evidence", first)]
    for evidence in (
        "My aunt has a cat that calms her.",
        "Of 90 children 80 liked it.",
        "Studies of Leeds University show it.",
    ):
        assert "reasons.evidence" not in [rule for rule, _ in asked(text.format(evidence))]


@pytest.mark.parametrize(
    ("view", "reply"),
    [
        ("Some people say that cats scratch the desks.", "But I think it is not that bad."),
        ("The caretaker does not want cats because of the hairs.", "He can just use a broom."),
        ("Other parents are afraid of fleas, but they are just boring.", "Cats are nice."),
        ("The nurse says that some children sneeze.", "However, there are more advantages than disadvantages."),
    ],
)
def test_it_is_asked_whether_an_answer_that_waves_an_objection_away_convinces(view: str, reply: str) -> None:
    reasoned = "However, a cat that has its own room never meets them."

    assert ("reasons.answer", view) in asked(f"Cats should sleep at school.\n\n{view} {reply}")
    if "but" not in view:
        assert "reasons.answer" not in [rule for rule, _ in asked(f"Cats should sleep at school.\n\n{view} {reasoned}")]
    assert "reasons.answer" not in [rule for rule, _ in asked(f"Cats should sleep at school.\n\nA cat is warm. {reply}")]


def test_only_the_middle_of_an_essay_is_asked_for_more_and_not_where_something_works() -> None:
    def rules(at: int, **signs: float) -> list[str]:
        look = noticed(EVERY.format("Cats make children calm."), at, **signs)
        return [one.rule for one in on_argument(look, outline_of(look), ())]

    assert "reasons.develop" in rules(1, develop=0.9)
    for concrete in ("In Leeds 9 of 12 cats were calm in 2019.", "My sister slept well.", "Cats help because they purr."):
        look = noticed(EVERY.format(concrete), develop=0.9)
        assert "reasons.develop" not in [one.rule for one in on_argument(look, outline_of(look), ())]
    assert "reasons.develop" not in rules(0, develop=0.9) + rules(3, develop=0.9) + rules(1, develop=0.9, works=0.9)


def test_an_answer_is_wanted_only_where_somebody_else_is_named() -> None:
    look = noticed(EVERY.format("Cats make children calm."), other_side=0.9)

    assert "reasons.answer" not in [one.rule for one in on_argument(look, outline_of(look), ())]


def test_a_paragraph_that_was_not_read_whole_is_asked_nothing() -> None:
    look = noticed(EVERY.format("Cats make children calm."), develop=0.9)
    first, second, third = look.signs
    cut = replace(look, signs=[first, [*second[:-1], None], third])

    assert "reasons.develop" not in [one.rule for one in on_argument(cut, outline_of(cut), ())]


def test_a_source_in_brackets_after_a_sentence_is_not_asked_for() -> None:
    look = noticed(EVERY.format("In all, 90 of 100 vets agree. (See the Vets' Journal.)"), source=0.9)

    assert "reasons.source" not in [one.rule for one in on_argument(look, outline_of(look), ())]


def test_a_sentence_is_asked_one_question() -> None:
    look = noticed(EVERY.format("Cats make children calm."), develop=0.9, source=0.9)

    assert [one.rule for one in on_argument(look, outline_of(look), ())] == ["reasons.develop"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Some say cats are lazy. But they hunt all night in our barn.", "works.answer"),
        ("Cats are calm. At the shelter in Leeds 9 of 12 cats stayed.", "works.exact"),
        ("Cats are calm. Who lives with one learns to be calm, too.", "works.thought"),
    ],
)
def test_what_the_reader_is_sure_of_is_praised(text: str, rule: str) -> None:
    look = noticed(f"{text} They sleep.", works=0.99)

    [praise] = with_works(Review(Dimension.CONTENT, ()), look, outline_of(look)).comments

    assert praise.rule == rule


def test_where_the_reader_sees_nothing_that_works_nothing_is_praised() -> None:
    look = noticed("I think cats need a home. Last week my brother found a cat at the station.\n\nCats should sleep.")

    assert with_works(Review(Dimension.CONTENT, ()), look, outline_of(look)).comments == ()


def test_a_story_that_names_a_feeling_is_asked_to_let_it_be_seen() -> None:
    [(rule, words)] = asked(STORY)

    assert rule == "reasons.feeling"
    assert words.startswith("I was so scared")


def test_an_essay_that_takes_no_side_is_asked_for_one_where_it_weighs_something_up() -> None:
    text = "Zoos are old. Some save animals, others hurt them.\n\nEverybody can decide that for himself."

    assert ("reasons.claim", "Everybody can decide that for himself.") in asked(text)
    assert "reasons.claim" not in [rule for rule, _ in asked(f"{text} I think that zoos are wrong.")]


def test_several_reasons_in_one_sentence_are_asked_which_is_the_strongest() -> None:
    text = "Cats should sleep because they are tired and they are old and they like it."

    assert "reasons.list" in [rule for rule, _ in asked(text)]
    assert "reasons.list" not in [rule for rule, _ in asked(f"{text}\n\nThey are tired.\n\nThey are old.")]


def test_a_letter_that_only_invites_has_nothing_to_prove() -> None:
    assert asked("Dear Anna,\n\nOne reason is that you need to see our lake. It is so near that nobody gets tired.") == []


def test_a_story_is_asked_to_stay_at_one_moment_and_to_end() -> None:
    listed = "Then we ate. Then we swam. Then we ran. Then it got dark and we went home with my uncle."
    ends = f"We went home. {'I saw the lake and my uncle was there. ' * 8}I heard a lion. I went to bed."

    assert [rule for rule, _ in asked(f"We went to the lake and we were early. {listed}")] == ["reasons.moment"]
    assert asked(ends) == [("reasons.ending", "I went to bed.")]
    moral = "That night I learned to trust my uncle. Trust is the most important thing."
    assert asked(f"{ends} The lion came back.\n\n{moral}") == [("reasons.ending", "That night I learned to trust my uncle.")]


def test_a_story_is_asked_where_its_writer_is_at_a_place_without_the_writer() -> None:
    mine = "I had a red kite and I flew it with my aunt."
    others = "The wind was loud, and they had eight kites over the hill. He lost his. It was gone. They laughed. " * 8

    assert asked(f"{mine} {others}The sun set over my kite.")[0][0] == "reasons.self"
    assert asked(f"{mine} {others}The sun set over my kite.")[0][1] in others
    assert asked(f"{mine} {others.replace('over the hill', 'above me').replace('It was', 'I saw it was')}It set.") == []


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
        "There are five people in my family, so it is over a hundred dollars for one day.\n\nCats sleep.",
        "The number of cats in the US was the highest in 2005.\n\nCats sleep.",
        "I think cats sleep. In my class only two out of 20 had a cat last year.\n\nCats sleep.",
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
