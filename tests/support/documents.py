"""Files of word processors."""

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
OASIS = "urn:oasis:names:tc:opendocument:xmlns"
OFFICE = " ".join(f'xmlns:{name}="{OASIS}:{name}:1.0"' for name in ("office", "text", "table"))


def zipped(name: str, xml: str) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr(name, xml)
    return file.getvalue()


def word(body: str) -> bytes:
    return zipped("word/document.xml", f"<?xml version='1.0'?><w:document {W}><w:body>{body}</w:body></w:document>")


def open_document(body: str) -> bytes:
    text = f"<office:body><office:text>{body}</office:text></office:body>"
    return zipped("content.xml", f"<office:document-content {OFFICE}>{text}</office:document-content>")
