from tests.support.pdfs import a_pdf
from tests.support.web import Caller, Site, shelve_pdf


def test_a_sentence_is_shown_with_what_stands_around_it_and_where(student: Caller, sentence: str) -> None:
    shown = student("GET", f"/api/v1/evidence/{sentence}").get_json()

    assert shown["sentence"]["text"] == "Silencing an opinion robs mankind of truth."
    assert (shown["previous"], shown["next"]) == ("Some wish it were otherwise.", "So much is certain.")
    assert (
        shown["further_reading"]
        == "Some wish it were otherwise. Silencing an opinion robs mankind of truth. So much is certain."
    )
    assert shown["sentence"]["boxes"] == [{"page": 6, "x0": 72.0, "y0": 100.5, "x1": 300.2, "y1": 112.0}]


def test_a_sentence_links_to_its_pages_and_the_links_lead_there(empty_site: Site) -> None:
    shelve_pdf(empty_site.services, a_pdf(), "On Principle (2nd)")
    student = empty_site.caller()
    found = student("POST", "/api/v1/essays/evidence", {"essay": "The object of this essay is to assert one simple principle."})

    [evidence] = found.get_json()["evidence"]
    [page] = student("GET", f"/api/v1/evidence/{evidence['sentence']['sentence_id']}").get_json()["pages"]

    assert page["page_index"] == 0
    assert student("GET", page["image"]).content_type == "image/png"
