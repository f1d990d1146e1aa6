from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.adapters.token_packs import Tokens, fitted, lay_out, mean_by_pair, plan_packs

PROMPT, OTHER = (1, 2, 3), (1, 9)
tokens = st.lists(st.integers(0, 5), min_size=1, max_size=4).map(tuple)
pairs_of_tokens = st.lists(st.tuples(tokens, tokens), min_size=1, max_size=8)


def test_a_prompt_is_in_a_pack_once() -> None:
    [pack] = plan_packs([(PROMPT, (4,)), (PROMPT, (5, 6)), (OTHER, (7,))], limit=20)

    assert lay_out(pack).ids.tolist() == [1, 2, 3, 4, 5, 6, 1, 9, 7]
    assert pack.size == 9


def test_a_pack_holds_no_more_than_its_limit_and_a_longer_pair_is_alone() -> None:
    packs = plan_packs([(PROMPT, (4,)), (PROMPT, (5, 6)), (OTHER, (7,) * 10)], limit=5)

    assert [pack.size for pack in packs] == [4, 5, 12]


def test_an_empty_text_is_in_no_pack() -> None:
    assert plan_packs([(PROMPT, ())], limit=20) == []


@given(pairs_of_tokens, st.integers(1, 30))
def test_every_token_of_a_text_is_expected_from_what_a_reader_has_seen_till_then(
    pairs: Sequence[tuple[Tokens, Tokens]], limit: int
) -> None:
    """What the mask lets the expecting token see, in the order of positions, is the prompt and the text before the target."""
    seen: dict[int, list[list[int]]] = {}
    for laid in map(lay_out, plan_packs(pairs, limit)):
        for row, target, owner in zip(laid.rows, laid.targets, laid.owners, strict=True):
            places = np.flatnonzero(laid.bias[row] == 0)
            assert laid.positions[places].tolist() == list(range(len(places)))
            seen.setdefault(int(owner), []).append([*laid.ids[places].tolist(), int(target)])

    assert seen == {
        number: [[*prompt, *text[: end + 1]] for end in range(len(text))] for number, (prompt, text) in enumerate(pairs)
    }


def test_the_mean_of_a_pair_is_over_its_own_tokens() -> None:
    [pack] = plan_packs([(PROMPT, (4,)), (PROMPT, (5, 6))], limit=20)

    assert mean_by_pair(lay_out(pack), np.array([-1, -2, -4], np.float32)) == [(0, -1.0), (1, -3.0)]


def test_of_what_does_not_fit_the_end_of_the_prompt_and_the_beginning_of_the_text_are_kept() -> None:
    assert fitted((1, 2, 3, 4), (5, 6), window=4) == ((3, 4), (5, 6))
    assert fitted((1, 2), (3, 4, 5, 6), window=4) == ((2,), (3, 4, 5))
