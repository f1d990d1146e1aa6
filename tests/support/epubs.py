"""E-books made for tests."""

from collections.abc import Mapping, Sequence

from tests.support.pictures import a_zip

CONTAINER = """<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
PAGE = """<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>{name}</title></head>
<body>{body}</body></html>"""


def page_break(label: str) -> str:
    """The mark of a printed page within a text; its number is shown, as some publishers do."""
    return f'<span epub:type="pagebreak" id="page{label}" title="{label}">[Pg {label}]</span>'


def epub(
    chapters: Sequence[tuple[str, str]],
    pages: Sequence[tuple[int, str]] = (),
    more: Mapping[str, str] | None = None,
    items: str = "",
) -> bytes:
    """An EPUB 3 of chapters (title, body as XHTML). pages: its page list, as (chapter's index, label). more: further files;
    items: of them in the manifest."""
    names = [f"c{n}.xhtml" for n in range(len(chapters))]
    listed_items = "".join(
        f'<item id="c{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(names)
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(names)))
    toc = "".join(f'<li><a href="{name}">{title}</a></li>' for name, (title, _) in zip(names, chapters, strict=True))
    listed = "".join(f'<li><a href="{names[n]}#page{label}">{label}</a></li>' for n, label in pages)
    page_list = f'<nav epub:type="page-list"><ol>{listed}</ol></nav>' if pages else ""
    package = f"""<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata
xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">made</dc:identifier><dc:title>Ships and Tides</dc:title>
<dc:creator>Ada Marsh</dc:creator><dc:language>en</dc:language></metadata><manifest>{listed_items}{items}
<item id="nav" properties="nav" href="nav.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine>{spine}</spine></package>"""
    files = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package,
        "OPS/nav.xhtml": PAGE.format(name="Contents", body=f'<nav epub:type="toc"><ol>{toc}</ol></nav>{page_list}'),
        **{
            f"OPS/{name}": PAGE.format(name=title, body=f"<h1>{title}</h1>{body}")
            for name, (title, body) in zip(names, chapters, strict=True)
        },
        **(more or {}),
    }
    return a_zip({"mimetype": "application/epub+zip", **files})
