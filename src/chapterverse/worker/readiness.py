"""Whether the model is loaded and makes vectors."""

from threading import Event, Thread

from chapterverse.errors import ChapterverseError, EmbedderUnavailable
from chapterverse.ports import Embedder


class Readiness:
    """The model is tried once, on a thread of its own, so that it is loaded while the process already answers."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._tried = Event()
        self._error: ChapterverseError | None = None
        self._thread = Thread(target=self._try, name="warm-up", daemon=True)

    def start(self) -> None:
        """Returns at once."""
        self._thread.start()

    def check(self) -> None:
        """Raises EmbedderUnavailable until the first vector is there, and then whatever has kept it from coming."""
        if not self._tried.is_set():
            raise EmbedderUnavailable("model_loading")
        if self._error:
            raise self._error

    def _try(self) -> None:
        try:
            self._embedder.embed_queries(["ready"])
        except ChapterverseError as error:
            self._error = error
        except Exception as error:  # no caller is there to be told; who asks for readiness is
            self._error = EmbedderUnavailable("model_not_working", error=type(error).__name__)
        finally:
            self._tried.set()
