from chapterverse.search.plan import ESSAY_FEEDBACK


def test_the_plan_of_essay_feedback_has_the_figures_of_its_design() -> None:
    assert ESSAY_FEEDBACK.hits_per_query == 1
    assert ESSAY_FEEDBACK.max_similarity == 0.9


def test_a_plan_for_another_essay_differs_only_in_how_many_sentences_it_keeps() -> None:
    assert ESSAY_FEEDBACK.limited_to(7).limit == 7
    assert ESSAY_FEEDBACK.limited_to(7).limited_to(ESSAY_FEEDBACK.limit) == ESSAY_FEEDBACK
