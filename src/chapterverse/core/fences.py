"""Material in a prompt, set apart from the instructions, so that nothing in it can pose as one of them."""

from collections.abc import Mapping
from hashlib import sha256

TAG_LENGTH = 16  # hex digits


def fenced(blocks: Mapping[str, str]) -> str:
    """The blocks by name, each between two lines that begin with a tag; the first line names the tag.

    The tag is a digest of the material, so no text can contain it and close the fence. Instructions stay the same for every
    prompt, which lets a server reuse them."""
    whole = "\n".join(blocks.values()).encode("utf-8", "replace")  # half a surrogate pair would be refused
    tag = sha256(whole).hexdigest()[:TAG_LENGTH]
    lines = (f"{tag} {name} begins\n{text}\n{tag} {name} ends" for name, text in blocks.items())
    return "\n\n".join([f"Tag: {tag}", *lines]).encode("utf-8", "replace").decode()
