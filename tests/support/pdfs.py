"""Small PDFs, made here: sound ones, locked ones and hostile ones."""

import zlib
from collections.abc import Sequence

import pymupdf

from bookreader.drawing import BoxedPage, Drawing, pictures

PROSE = "The object of this essay is to assert one very simple principle. It is older than the book that made it known."


def a_pdf(*pages: str) -> bytes:
    """One page per text, each text in one paragraph at the top left; PROSE if none is given."""
    document = pymupdf.open()
    for text in pages or (PROSE,):
        page = document.new_page(width=400, height=600)
        page.insert_textbox(pymupdf.Rect(50, 50, 350, 550), text, fontsize=11)
    return bytes(document.tobytes(deflate=True))


def a_long_pdf(words: str, pages: int = 25, opening: str = "") -> bytes:
    """Twenty sentences a page, no two alike: "{words} as number 7 of 0 was told." On the first page they follow `opening`."""
    texts = [" ".join(f"{words} as number {page * 20 + i} of {page} was told." for i in range(20)) for page in range(pages)]
    return a_pdf(f"{opening} {texts[0]}".strip(), *texts[1:])


def draw_here(pdf: bytes, pages: Sequence[BoxedPage], scale: float) -> list[Drawing]:
    """PageDrawer without a process of its own, which takes half a second: what cannot be drawn raises MuPDF's errors."""
    return list(pictures(pdf, pages, scale))


def a_picture_of_a_page() -> bytes:
    """A scan of one page, without any text."""
    document = pymupdf.open()
    picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 60))
    picture.clear_with(200)
    document.new_page(width=400, height=600).insert_image(pymupdf.Rect(0, 0, 400, 600), pixmap=picture)
    return bytes(document.tobytes())


def pictures_of(pdf: bytes) -> bytes:
    """The PDF as a scan: each page is a picture of 200 dots per inch."""
    made = pymupdf.open()
    for page in pymupdf.open(stream=pdf):
        new = made.new_page(width=page.rect.width, height=page.rect.height)
        new.insert_image(new.rect, pixmap=page.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY))
    return bytes(made.tobytes(deflate=True))


def a_locked_pdf(user_password: str = "", owner_password: str = "owner") -> bytes:
    """AES-256; without a user password anybody may read it."""
    with pymupdf.open(stream=a_pdf()) as document:
        return bytes(
            document.tobytes(
                encryption=pymupdf.PDF_ENCRYPT_AES_256,
                user_pw=user_password,
                owner_pw=owner_password,
                permissions=pymupdf.PDF_PERM_ACCESSIBILITY,
            )
        )


def a_pdf_that_draws(content: bytes, times: int = 1) -> bytes:
    """One page with that content stream, repeated; deflated, so that a few kilobytes may become a gigabyte."""
    with pymupdf.open(stream=a_pdf()) as document:
        stream = document[0].get_contents()[0]
        document.update_stream(stream, deflated(content, times), compress=False)
        document.xref_set_key(stream, "Filter", "/FlateDecode")
        return bytes(document.tobytes())


def deflated(content: bytes, times: int) -> bytes:
    """A zlib stream of that content, repeated: about a megabyte of it is compressed, and that block is repeated."""
    block = content * min(times, 2**20 // len(content) + 1)
    blocks, rest = divmod(len(content) * times, len(block))
    body, end = (zlib.compressobj(wbits=-zlib.MAX_WBITS) for _ in range(2))  # without zlib's header and checksum
    packed = body.compress(block) + body.flush(zlib.Z_FULL_FLUSH)  # refers to nothing before it
    packed_rest = end.compress(block[:rest]) + end.flush()
    checksum = zlib.adler32(b"")
    for _ in range(blocks):
        checksum = zlib.adler32(block, checksum)
    return b"\x78\x9c" + packed * blocks + packed_rest + zlib.adler32(block[:rest], checksum).to_bytes(4)


def a_pdf_of(*objects: bytes) -> bytes:
    """A PDF written by hand: objects 1 … n, of which the first is the catalog; the table says where each one stands."""
    body, starts = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        starts.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(body))
    return body + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + trailer


def a_page_tree_that_loops() -> bytes:
    return a_pdf_of(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 9 /Kids [3 0 R] >>",
        b"<< /Type /Pages /Count 9 /Parent 2 0 R /Kids [2 0 R] >>",
    )
