"""What a check has to say."""

from dataclasses import dataclass
from enum import IntEnum

from chapterverse.messages import Message


class Weight(IntEnum):
    """How far a finding goes. DOUBT: the claim says more, or other, than is in the sentence; AGAINST: it may say the opposite,
    which the vectors can refute; CERTAIN: it does, whatever the vectors say."""

    DOUBT = 1
    AGAINST = 2
    CERTAIN = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """reason: one whole sentence for a student of twelve, who sees the sentence of the book beside it."""

    weight: Weight
    reason: Message
