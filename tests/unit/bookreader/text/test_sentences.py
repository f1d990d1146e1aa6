"""Each case is a paragraph with "|" where a sentence ends; the sentences are our own."""

import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bookreader.text.sentences import split_sentences

PLAIN = ["The rain had stopped.| Was it over?| It was!| They left."]
ABBREVIATIONS = [
    "Mr. Ashby and Dr. Lin met Prof. Odum.| St. Ives was far.| So was Main St.| They walked.",
    "He moved to the U.S.| The family stayed.| It had the U.S. Senate’s leave.",
    "She works at Orme Inc.| Her firm grew; Orme Inc. Chairman Vale left.",
    "Boats, nets, oars, etc.| And yet no fish.| Bring rope, etc., too.",
    "Use a test, e.g. Welch’s, i.e. The Robust One, cf. Moser.",
    "As i. e. The Reader sees, it went on, e. g. Monday.",
    "The train came at 5 p.m.| The next was due at 6 a.m. sharp.| At 7 a.m. Miss Vale rose.",
    "He died in 44 B.C.| In 43 B.C. Cicero did.",
    "Hall v. Orme was decided in 1911.| See Fed. R. Civ. P. 12.| It stands.",
    "The Rev. Amos Hill, Bart., and Major-Gen. Oliver Stone came.",
    "P.S. I am quite well.",
]
INITIALS = [
    "J. S. Tarn and A.-M. Vale wrote it.| It sold.",
    "She was taller than I.| Mary was not.| As you and I.| Then none.",
    "It fell under Charles V.| This was long ago.| Henry VIII.| Wolsey fell too.",
    "Each took vitamin B.| They were well.",
]
REFERENCES = [
    "It is shown in Ref. [6].| It is new.",
    "See p. 12, ch. 3, Sec. 4 and Fig. 3.2.| Then see vol. II, No. 7, and Art. IV.",
    "It passed with H.J. Res. 192, as art. IV. § 3 says.| It stands.",
    "See Docs. 18079, 18128.| It names Docket No. FAA–2020–0686 and Doe ex rel. Douglas.",
    "He said no.| A man came.| I said no.| I left.| No. 5 was late.| No.| Not he.",
    "It was a work of art.| I knew it.| Fig. A shows it.| With Sam.| I went on; see 1 Sam. 17.",
    "In Dec. 1850 it froze.| Then came Jan.| The river broke.",
    "It opens on Tues. Nov. 3 and on Sat. 9:30.| It is shut on Fri.| The shop is open.",
    "It ended.[12]| The next.(2)(3)| A third began. [3] [4]| Then it ended.5| That was all. [6]",
    "[1] A. Vale, Boats.| [2] B. Moss, Nets.| [3] C. Orme, Oars.",
    "See p.12 The end.",
    "Compare the two ports (Map 4).| 5 Draw a plan of one.| It is in his law (cap. 3). 12 Co. Rep. 5 has it too.",
    "3.7 Add all numbers from 2 to 40.| 3.8 Prove it for 3s. 6d. too.",
    "The rate is 3.14.| It fell to 2.71 at 3s. 6d. a week.| 500 men came.",
    "It was 1850.| The war was over.| (See Chapter XI.)| Peace came.",
    "They met at example.org.| Version 2.0.1 of os.path.join ran.| The p-value was < .05.| It held.",
]
QUOTATIONS = [
    "“Stop!” he said.| “Stop!”| He left.| “Is it you?”| “No.”| “Then go.”",
    "“Who is there?” Tom asked.| “Go!” I cried.| “Where?”| They looked.",
    "“I am here.| You are not,” he said.| ‘It is mine.’ ”| Then he left.",
    "He called it (alas!) a day.| (He was wrong.)| What a genius (!) Newton was. (10 points)",
    "He said “Why?” (p. 3).| He said “Now.” (Smith, 4), and went.| (It rained.)",
    'She said "Go."| He went.| "Why?" she asked.',
    "’Tis over.| ’Twas good.| Alas! the day.| What? and when?",
]
GERMAN = [
    "Der Wind drehte.| „Wir legen an“, rief sie, „ehe es Nacht wird.“| Alle schwiegen.| »Gut so.«| Dann war Ruhe.",
    "Am 7. Februar 1902 und vom 3. bis zum 9. August fror es.| Im 18. Jahrhundert war es wärmer, im 17. Jh. nicht.",
    "Die Messe in Frankfurt a. M. war voll.| Er fuhr nach Köln (sog. Domstadt).",
    "Er singt auf der 7. Stufe, dann im 2. Takt.| Es war Zimmer 9.| Alle gingen.",
    "They were 12.| August came.| It was room 9.| April had gone.",
]
ELLIPSES = [
    "Well . . . it was over.| He never saw it. . . .| The end.",
    "I … I do not know.| It was dark…| The door opened.| It was the … Constitution.",
    "“. . . and so it goes.”| He stopped.| [. . .] Then he left.| […] It rained.",
    "… And then he went.| Preface . . . . . . 7",
    "He ........ (a) (had, has) great ......... (b) (wise, wisdom) in him.| It ended.",
    "It was over.—And so he left.| It is so: — He knew.",
]
LISTS = [
    "1. Earth is round.| 2. Water is wet.| 3. Fire burns.",
    "1. Earth| 2. Water| 3. Fire",
    "There are two: 1. The first; 2. The second.",
    "Four reasons follow.| (a) The old one.| (b) the new one.",
    "Art. 5. No one shall be held.| Art. 6. Everyone may go.| IV. The rest.",
    "Q. What is it?| A. It is nothing.",
]
ALL = [*PLAIN, *ABBREVIATIONS, *INITIALS, *REFERENCES, *QUOTATIONS, *GERMAN, *ELLIPSES, *LISTS]
ANY_TEXT = st.text(alphabet=st.one_of(st.sampled_from(" .!?…“”’()[]—\"'12IaAbB\n"), st.characters(exclude_categories=["Cs"])))


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize("marked", ALL)
def test_a_paragraph_is_cut_where_a_reader_would_and_a_sentence_split_again_stays_whole(marked: str) -> None:
    expected = [part.strip() for part in marked.split("|")]

    assert sentences(" ".join(expected)) == expected
    assert [sentences(sentence) for sentence in expected] == [[sentence] for sentence in expected]


@given(ANY_TEXT)
@example("")
@example(" \n ")
@example("…")
@example("1. a 2. b")
def test_spans_are_ordered_tight_and_hold_every_character_that_is_not_blank(text: str) -> None:
    spans = split_sentences(text)

    assert all(start < end for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)
    assert re.sub(r"\s", "", "".join(sentences(text))) == re.sub(r"\s", "", text)


@given(st.lists(st.sampled_from(["The sea was calm.", "Who knows?", "They sang!", "He had a boat in 1850."]), min_size=1))
def test_plain_sentences_come_back_in_whatever_order_they_stand(parts: list[str]) -> None:
    assert sentences(" ".join(parts)) == parts


def test_dot_leaders_are_one_sentence_and_a_number_that_opens_a_quotation_belongs_to_its_title() -> None:
    assert len(split_sentences("Contents " + ". " * 200_000 + "7")) == 1

    text = "It has a colour (see “3.5. Assigning a colour to links”). The next one has none."
    first, second = [text[start:end] for start, end in split_sentences(text)]
    assert first == "It has a colour (see “3.5. Assigning a colour to links”)."
    assert second == "The next one has none."
