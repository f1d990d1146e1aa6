import pytest

from chapterverse.citations.styles import CitedWork, apa, bibtex, initials, mla, name_of, names_of

MILL = CitedWork("On Liberty", ("John Stuart Mill",), "1859", "John W. Parker and Son", "36")


def test_a_book_with_all_that_is_known() -> None:
    assert apa(MILL).reference == "Mill, J. S. (1859). <i>On Liberty</i>. John W. Parker and Son."
    assert apa(MILL).in_text == "(Mill, 1859, p. 36)"
    assert mla(MILL).reference == "Mill, John Stuart. <i>On Liberty</i>. John W. Parker and Son, 1859."
    assert mla(MILL).in_text == "(Mill 36)"
    assert bibtex(MILL) == (
        "@book{mill1859liberty,\n  author = {Mill, John Stuart},\n  title = {{On Liberty}},\n  year = {1859},\n"
        "  publisher = {John W. Parker and Son},\n  pages = {36}\n}"
    )


def test_a_book_of_which_nothing_but_the_title_is_known() -> None:
    work = CitedWork("Who Goes There?")

    assert apa(work).reference == "<i>Who Goes There?</i> (n.d.)."
    assert apa(work).in_text == "(<i>Who Goes There?</i>, n.d.)"
    assert mla(work).reference == "<i>Who Goes There?</i>"
    assert mla(work).in_text == "(<i>Who Goes There?</i>)"
    assert bibtex(work) == "@book{ndwho,\n  title = {{Who Goes There?}}\n}"


def test_a_year_that_is_missing_is_said_in_apa_and_left_out_elsewhere() -> None:
    work = CitedWork("On Liberty", ("John Stuart Mill",), pages="35–36")

    assert apa(work).reference == "Mill, J. S. (n.d.). <i>On Liberty</i>."
    assert apa(work).in_text == "(Mill, n.d., pp. 35–36)"
    assert mla(work).reference == "Mill, John Stuart. <i>On Liberty</i>."
    assert "year" not in bibtex(work)
    assert "pages = {35--36}" in bibtex(work)


@pytest.mark.parametrize(
    ("text", "family", "given", "suffix"),
    [
        ("Plato", "Plato", "", ""),
        ("Mill, John Stuart", "Mill", "John Stuart", ""),
        ("Ludwig van Beethoven", "van Beethoven", "Ludwig", ""),
        ("Simone de Beauvoir", "de Beauvoir", "Simone", ""),
        ("Martin Luther King, Jr.", "King", "Martin Luther", "Jr."),
        ("Martin Luther King Jr.", "King", "Martin Luther", "Jr."),
        ("King, Martin Luther, Jr.", "King", "Martin Luther", "Jr."),
        ("García Márquez, Gabriel", "García Márquez", "Gabriel", ""),
        ("Ngũgĩ wa Thiong'o", "wa Thiong'o", "Ngũgĩ", ""),
        ("Sir Arthur Conan Doyle", "Doyle", "Arthur Conan", ""),
        ("毛泽东", "毛泽东", "", ""),
        ("bell hooks", "hooks", "bell", ""),
    ],
)
def test_names_as_people_write_them(text: str, family: str, given: str, suffix: str) -> None:
    name = name_of(text)

    assert (name.family, name.given, name.suffix) == (family, given, suffix)


@pytest.mark.parametrize("text", ["World Health Organization", "Universität Wien", "Ministry of Health and Education"])
def test_an_organization_is_not_taken_apart(text: str) -> None:
    [name] = names_of([text])

    assert (name.family, name.organization) == (text, True)
    assert f"author = {{{{{text}}}}}" in bibtex(CitedWork("Report", (text,)))


def test_an_author_who_publishes_the_book_stands_in_it_once() -> None:
    work = CitedWork("Report", ("World Health Organization",), "2020", "World Health Organization")

    assert apa(work).reference == "World Health Organization. (2020). <i>Report</i>."


@pytest.mark.parametrize(("given", "short"), [("Jean-Paul", "J.-P."), ("J.R.R.", "J. R. R."), ("John S.", "J. S."), ("", "")])
def test_given_names_become_initials(given: str, short: str) -> None:
    assert initials(given) == short


def test_two_authors_in_one_entry_and_three() -> None:
    two = CitedWork("The Communist Manifesto", ("Karl Marx and Friedrich Engels",), "1848", pages="3")
    three = CitedWork("T", ("A. One", "B. Two; C. Three"), "1999", pages="3")

    assert apa(two).reference == "Marx, K., &amp; Engels, F. (1848). <i>The Communist Manifesto</i>."
    assert (apa(two).in_text, mla(two).in_text) == ("(Marx &amp; Engels, 1848, p. 3)", "(Marx and Engels 3)")
    assert mla(two).reference == "Marx, Karl, and Friedrich Engels. <i>The Communist Manifesto</i>. 1848."
    assert "author = {Marx, Karl and Engels, Friedrich}" in bibtex(two)
    assert (apa(three).in_text, mla(three).in_text) == ("(One et al., 1999, p. 3)", "(One et al. 3)")
    assert mla(three).reference == "One, A., et al. <i>T</i>. 1999."


def test_of_many_authors_apa_names_nineteen_and_the_last() -> None:
    reference = apa(CitedWork("T", [f"A. N{n}" for n in range(1, 26)], "2001")).reference

    assert "N19, A., … N25, A. (2001)" in reference
    assert "N20" not in reference


def test_what_a_title_holds_is_text_in_html_and_in_tex() -> None:
    work = CitedWork("<b>100% C# & {TeX}_1</b>", ("Ann O'Brien",), "n\\a")

    assert "<i>&lt;b&gt;100% C# &amp; {TeX}_1&lt;/b&gt;</i>" in apa(work).reference
    assert r"title = {{<b>100\% C\# \& \{TeX\}\_1</b>}}" in bibtex(work)
    assert r"year = {n\textbackslash{}a}" in bibtex(work)
    assert bibtex(work).startswith("@book{obriennab100,")
