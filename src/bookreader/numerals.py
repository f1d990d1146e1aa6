"""Roman numbers, and numbers that pages are labelled with."""

ROMAN = {"m": 1000, "cm": 900, "d": 500, "cd": 400, "c": 100, "xc": 90}
ROMAN |= {"l": 50, "xl": 40, "x": 10, "ix": 9, "v": 5, "iv": 4, "i": 1}


def to_roman(value: int) -> str:
    """The roman number of 14: "xiv"."""
    out = ""
    for letters, worth in ROMAN.items():
        while value >= worth:
            out, value = out + letters, value - worth
    return out


def from_roman(word: str) -> int:
    """The value of "xiv": 14; 0 for anything but a correct roman number."""
    value, rest = 0, word
    for letters, worth in ROMAN.items():
        while rest.startswith(letters):
            value, rest = value + worth, rest[len(letters) :]
    return value if not rest and to_roman(value) == word else 0


def value_of(label: str) -> int:
    """The number that a label is, in arabic or roman figures, all small or all capitals; 0 if it is none."""
    if label.isascii() and label.isdecimal():
        return int(label)
    return from_roman(label.lower()) if label in (label.lower(), label.upper()) else 0


def counted_on(label: str, pages: int) -> str:
    """The label so many pages after that one, in the same figures; the label itself if it is no number."""
    value = value_of(label)
    if not value or label.isdecimal():
        return str(value + pages) if value else label
    roman = to_roman(value + pages)
    return roman.upper() if label.isupper() else roman
