"""A likelihood that is asked once about each pair: an essay comes again when it was corrected, most of it as it was."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock

from chapterverse.ports import Likelihood

MOST = 20_000  # pairs: about 300 essays, 3 MB


@dataclass(frozen=True)
class RememberedLikelihood:
    """Likelihood, for many threads; of what was asked only a digest is kept, so no words of a student's."""

    likelihood: Likelihood
    known: OrderedDict[bytes, float] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    @property
    def model(self) -> str:
        return self.likelihood.model

    def log_probs(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        keys = [_digest(pair) for pair in pairs]
        with self.lock:
            found = [self.known.get(key) for key in keys]
        missing = [place for place, value in enumerate(found) if value is None]
        if missing:
            asked = self.likelihood.log_probs([pairs[place] for place in missing], deadline)
            for place, value in zip(missing, asked, strict=True):
                found[place] = value
            self._keep([(keys[place], found[place]) for place in missing])
        return found

    def _keep(self, new: Sequence[tuple[bytes, float | None]]) -> None:
        with self.lock:
            self.known.update((key, value) for key, value in new if value is not None)
            while len(self.known) > MOST:
                self.known.popitem(last=False)


def _digest(pair: tuple[str, str]) -> bytes:
    """Lengths keep ("a", "bc") and ("ab", "c") apart."""
    prompt, text = pair
    return sha256(f"{len(prompt)} {prompt}{text}".encode("utf-8", "surrogatepass")).digest()
