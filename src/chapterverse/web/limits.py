"""Rate limits per key, and a limit on requests that are answered at once."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import BoundedSemaphore

from werkzeug.wrappers import Response

from chapterverse.core.errors import Overloaded, RateLimited
from chapterverse.core.ports import TokenBuckets
from chapterverse.infrastructure.quotas import MemoryTokenBuckets
from chapterverse.messages import message

RETRY_SECONDS = 2  # a response takes about one


@dataclass(frozen=True)
class RateLimit:
    """Calls per minute of one key: a minute's calls at once, then as many as come back evenly in the meantime.

    name: tells this limit's buckets from those of other limits in the same store. who: id of the message that names the
    subject in the refusal ("this key")."""

    per_minute: int
    buckets: TokenBuckets = field(default_factory=MemoryTokenBuckets)
    name: str = "requests"
    who: str = "this_key"

    def take(self, key: str) -> None:
        """Count one call. Raises RateLimited, with the seconds until the next call is allowed; CatalogUnavailable."""
        if wait := self.buckets.take(f"{self.name}/{key}", self.per_minute):
            seconds = math.ceil(round(wait, 3))
            raise RateLimited(
                "rate_limited", who=message(self.who), per_minute=self.per_minute, seconds=seconds, retry_after=seconds
            )


@dataclass
class Gate:
    """Limits the requests that run at once; further ones are refused at once instead of waiting. full: answers them instead."""

    places: int
    full: Callable[[], Response] | None = None
    _free: BoundedSemaphore = field(init=False)

    def __post_init__(self) -> None:
        self._free = BoundedSemaphore(self.places)

    def through(self, answer: Callable[[], Response]) -> Response:
        """The response; it counts until its last part is sent. Raises Overloaded, or answers by `full`."""
        if not self._free.acquire(blocking=False):
            if self.full:
                return self.full()
            raise Overloaded("overloaded", max_requests=self.places, retry_after=RETRY_SECONDS)
        try:
            response = answer()
        except BaseException:
            self._free.release()
            raise
        if response.is_streamed:
            response.call_on_close(self._free.release)
        else:
            self._free.release()
        return response


MESSAGES_PER_MINUTE = 20  # of one user
CONVERSATION_MESSAGES_PER_MINUTE = 10


@dataclass(frozen=True)
class Pace:
    """Rate limits of messages to the help desk: per user and per conversation."""

    user: RateLimit
    conversation: RateLimit

    def take(self, school: str, user: str, conversation: str) -> None:
        """Count one message. Raises RateLimited, with the seconds until the next one is allowed; CatalogUnavailable."""
        self.conversation.take(conversation)
        self.user.take(f"{school}/{user}")


def helpdesk_pace(buckets: TokenBuckets | None = None) -> Pace:
    """The help desk's limits, counted in `buckets`; by default in this process."""
    buckets = buckets or MemoryTokenBuckets()
    return Pace(
        RateLimit(MESSAGES_PER_MINUTE, buckets, "messages of user", who="this_user"),
        RateLimit(CONVERSATION_MESSAGES_PER_MINUTE, buckets, "messages of conversation", who="this_conversation"),
    )
