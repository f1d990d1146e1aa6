import pytest

from chapterverse.search.plan import inverse_distance


@pytest.mark.parametrize(("cosine", "reading"), [(1.0, 1.0), (0.5, 0.5), (0.0, 1 / 3), (-1.0, 0.2)])
def test_the_seeds_formula_is_a_function_of_the_cosine(cosine: float, reading: float) -> None:
    assert inverse_distance(cosine) == pytest.approx(reading)


def test_its_070_is_cosine_079() -> None:
    assert inverse_distance(0.7857) == pytest.approx(0.70, abs=0.0005)
