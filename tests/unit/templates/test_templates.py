from chapterverse.templates import style_sheet, template


def test_a_style_sheet_is_put_in_as_it_is() -> None:
    assert "h2 + .lead" in style_sheet("screen.css")
    assert "url(" not in style_sheet("screen.css") + style_sheet("print.css")


def test_a_template_is_read_once() -> None:
    assert template("feedback.html") is template("feedback.html")
