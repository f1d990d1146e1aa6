import re

import pytest

from chapterverse.essays.writing.slips import slips_in

MARK = re.compile(r"\{([^{}>]*)>([^{}>]*)\}")


def told(text: str) -> list[tuple[str, str | None]]:
    return [(text[slice(*one.place)], one.instead) for one in slips_in(text)]


@pytest.mark.parametrize(
    "marked",
    [
        "My brother {go>goes} to school by bus.",
        "One of the main {problem>problems} is here.",
        "It was {more easier>easier} than that.",
        "There {is>are} cars on the road.",
        "I would {like tell>like to tell} you.",
        "She taught me {how make>how to make} it.",
        "School uniforms {is>are} bad.",
        "He made {less>fewer} mistakes than me.",
        "Every student {have>has} a book.",
        "I think that everybody {need>needs} a friend, because it {make>makes} us strong.",
        "Homework {are>is} hard.",
        "A person who {live>lives} here is lucky.",
        "They {goes>go} home, and I {thinks>think} about it.",
        "Many students {has>have} a job.",
        "So most of the animals {is>are} not there, and some of my friends {has>have} seen it.",
        "The people who {lives>live} here are kind.",
        "He can {goes>go} home.",
        "We should {learned>learn} more.",
        "You must {to go>go} now.",
        "They should not {able to>be able to} go.",
        "I {learn>have learned} English {since>for} six years.",
        "We {live>have lived} here since 2010, and she has {writed>written} it.",
        "Then I {runned>ran} home, and he {brung>brought} us cake.",
        "We got up {for see>to see} the boats.",
        "{I am not agree>I do not agree} with this.",
        "My {grandmother has 78 years>grandmother is 78 years old}, and she works.",
        "{In the summer is>In the summer it is} very hot.",
        "There {is>are} lots of cars.",
        "I know {how it looks like>what it looks like}.",
        "On Friday {theres>there are} about thirty kids.",
        "I heard it on an {iphone>iPhone} at {a a>a} party.",
        "I want to {visited>visit} it.",
        "I {want go>want to go} home.",
        "They enjoy {to read>reading} there.",
        "It is a way of {learn>learning} more.",
        "It helps me {forgot>forget} it.",
        "I {am agree>agree} with him.",
        "They are {listen>listening} to it.",
        "I think they {losing>are losing} something.",
        "He {not>does not} agree with it.",
        "She has {learn>learned} it.",
        "Last year we {go>went} there.",
        "I know {how can we>how we can} stop it.",
        "Now I {understand why do they>understand why they} sing.",
        "He drank {two cups tea>two cups of tea} and {woke up me>woke me up} at six.",
        "She {fell of>fell off} her horse.",
        "Last summer we {have flew>flew} to Crete.",
        "Last month they {have lost>lost} the match.",
        "She lives in {a other>another} street.",
        "There were many {problem>problems} with it.",
        "My cousin has two {dog>dogs} now.",
        "He has so {many>much} homework here.",
        "One of my {friend>friends} is ill.",
        "He wrote each {letters>letter} again.",
        "You see {this>these} problems there.",
        "I have {a homework>homework} for you.",
        "All {childrens>children} like it.",
        "It is {good>a good} idea.",
        "I am {student>a student} here.",
        "We have {same>the same} problem.",
        "It is {an>a} useful thing.",
        "The train is {more fast>faster} than a car.",
        "{My mother she>My mother} works there.",
        "I don't know {nothing>anything} about it.",
        "I like it because {is>it is} important.",
        "I was very {boring>bored}.",
        "I went there with {she>her}.",
        "He {said>told} me that it was late.",
    ],
)
def test_what_learners_write_is_told_with_what_is_right(marked: str) -> None:
    wrong = MARK.sub(r"\1", marked)

    mended = wrong
    for one in sorted(slips_in(wrong), key=lambda one: one.place, reverse=True):
        mended = f"{mended[: one.place[0]]}{one.instead}{mended[one.place[1] :]}"

    assert mended == MARK.sub(r"\2", marked)


@pytest.mark.parametrize(
    "text",
    [
        "What would living without cars be like?",
        "There is lots of noise, and less and less people know why.",
        "The voice on our phones who tells us the way is kind.",
        "A person who need not give reasons is free.",
        "It took years to explain them and to keep them.",
        "She noticed something similar with her friends.",
        "The seed of it lay in its bed, and we sited it well.",
        "She has 10 years of experience, and we live here since it is cheap.",
        "I play a lot since many friends do.",
        "The first thing they do is check their phones.",
        "They do everything they can to help.",
        "It is on its way to becoming a better place.",
        "If this were to happen, the results would be good.",
        "One of the people who has helped us is my aunt.",
        "I saw something like that in source two article three.",
        "This results in fewer cars, and this people know.",
        "She paid a $50 ticket, and he need not go.",
        "They work from morning until night, and rest at four o'clock.",
        "He suggested that she go home.",
        "Most of the work is done, and one of the animals is ill. The size of the animals is great.",
        "Did he go home, and does my brother have it?",
        "The life of animals is short, and the number of cars is high.",
        "You realize how much cars harm us.",
        "It is good exercise, and it is great fun.",
        "The car he bought is safe. What good idea is this?",
        "He had to, and not only can walking help you.",
        "A book that is important and easy is best.",
        "They are interesting people, and I am an interesting person.",
    ],
)
def test_what_is_right_is_let_be(text: str) -> None:
    assert told(text) == []


def test_where_there_are_two_ways_to_mend_it_none_is_chosen() -> None:
    assert told("Families live in poor area.") == [("poor area", None)]
    assert told("You should never texting and driving.") == [("texting", None)]
    assert told("It may living things harm.") == [("may", "many")]
