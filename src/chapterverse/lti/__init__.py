"""Learning platforms by LTI 1.3: launches, assignments, grades."""

from enum import StrEnum


class PlatformKind(StrEnum):
    """Kind of learning platform; the addresses of Moodle and Canvas follow from their host."""

    MOODLE = "moodle"
    CANVAS = "canvas"
    OTHER = "other"
