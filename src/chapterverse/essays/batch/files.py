"""Files of a batch in the results bucket, which hold students' names and words; how they are written, read and deleted.
The feedback that teachers work on is in the catalog's database.

{school}/batches/{batch}/essays.json.gz      the essays as they were handed in, and the books to look in
                         each/{number}.json  what is written on one essay, as soon as it is there
                         html/{number}-{id}.html
                         results.jsonl, results.csv    all of it, once no essay waits any more"""

import gzip
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256

from chapterverse.core.book import BookId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Scope
from chapterverse.core.names import path_part, slug
from chapterverse.core.ports import Bucket
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.entries import Entry
from chapterverse.essays.batch.model import BatchEssay, BatchKey
from chapterverse.essays.batch.records import Result
from chapterverse.essays.history import remove_feedback
from chapterverse.essays.model import Origin, Submission
from chapterverse.essays.service import FeedbackRequest
from chapterverse.messages import message

BATCHES = "batches/"

JSONL, CSV, HTML = "results.jsonl", "results.csv", "html/"

FORGOTTEN, DELETED = "deleted", message("essay_deleted")  # the code of such an essay, and what is said of it


@dataclass(frozen=True)
class BatchContent:
    """The essays of a batch by number, and the books to look in, all of the school's where none is named."""

    entries: dict[int, Entry]
    books: tuple[str, ...]
    nbytes: int = 0

    def scope(self, school: str) -> Scope:
        """Where evidence is looked for."""
        return Scope(school, tuple(map(BookId, self.books)))


def batch_folder(key: BatchKey) -> str:
    """Prefix of everything kept of a batch."""
    return f"{path_part(key.school)}/{BATCHES}{path_part(key.batch)}/"


def folder_of(name: str) -> str | None:
    """The batch's folder that an object is in, if it is in one."""
    school, *rest = name.split("/")
    return f"{school}/{rest[0]}/{rest[1]}/" if len(rest) > 2 and f"{rest[0]}/" == BATCHES else None


def packed(entries: Iterable[Entry], books: Sequence[str]) -> bytes:
    """The same bytes for the same essays and books."""
    value = {"books": list(books), "essays": [asdict(entry) for entry in entries]}
    return gzip.compress(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"), mtime=0)


def key_for(school: str, data: bytes) -> BatchKey:
    """What is handed in gives the batch its name."""
    return BatchKey(school, sha256(gzip.decompress(data)).hexdigest()[:16])


def essays_name(key: BatchKey) -> str:
    """Where what was handed in is kept."""
    return f"{batch_folder(key)}essays.json.gz"


def load_essays(bucket: Bucket, key: BatchKey) -> BatchContent:
    """Raises NotFound."""
    data = gzip.decompress(bucket.read(essays_name(key)))
    value = json.loads(data.decode("utf-8", "surrogatepass"))
    entries = (Entry(**fields) for fields in value["essays"])
    return BatchContent({entry.number: entry for entry in entries}, tuple(value["books"]), len(data))


def save_result(bucket: Bucket, key: BatchKey, number: int, result: Result) -> None:
    """Write the feedback on one essay."""
    text = json.dumps(result.model_dump(mode="json"), ensure_ascii=False)
    bucket.write(_result_name(key, number), text.encode("utf-8", "surrogatepass"))


def load_result(bucket: Bucket, key: BatchKey, number: int) -> Result:
    """Raises NotFound."""
    return Result.model_validate(json.loads(bucket.read(_result_name(key, number)).decode("utf-8", "surrogatepass")))


def page_name(entry: Entry) -> str:
    """The page of one student, in the batch's folder for pages; the number keeps two students of alike ids apart."""
    return f"{entry.number:04d}-{slug(entry.id)}.html"


def forget_words(bucket: Bucket, key: BatchKey, number: int) -> None:
    """Of one essay all that was written on it, and of the whole batch what has its words among others: it is made again."""
    for prefix in (_result_name(key, number), f"{batch_folder(key)}{HTML}{number:04d}-", *_of_all(key)):
        bucket.delete(prefix)


def forgotten_of(essays: Iterable[BatchEssay]) -> frozenset[int]:
    """Numbers of those that a teacher has deleted."""
    return frozenset(essay.number for essay in essays if essay.reason == FORGOTTEN)


def without(entries: Iterable[Entry], gone: Collection[int]) -> Iterator[Entry]:
    """The same, but of those numbers neither who wrote them nor what."""
    return (Entry(one.number, str(one.number), problem=DELETED) if one.number in gone else one for one in entries)


def save_page(bucket: Bucket, key: BatchKey, entry: Entry, page: str) -> None:
    """Keep the page of one student."""
    bucket.write(f"{batch_folder(key)}{HTML}{page_name(entry)}", page.encode("utf-8", "replace"))


def prediction_folder(key: BatchKey) -> str:
    """Prefix of what is kept of a batch prediction."""
    return f"{batch_folder(key)}prediction/"


def _of_all(key: BatchKey) -> Iterator[str]:
    yield from (f"{batch_folder(key)}{name}" for name in (JSONL, CSV))
    yield prediction_folder(key)


def _result_name(key: BatchKey, number: int) -> str:
    return f"{batch_folder(key)}each/{number:04d}.json"


def clear_up(key: BatchKey, context: BatchContext) -> None:
    """All that was kept of a batch that is not known (any more). Raises CatalogUnavailable, BucketUnavailable."""
    context.results.delete(batch_folder(key))
    context.history.store.remove_batch(key)


def forget_feedback(school: str, id: str, context: BatchContext) -> None:
    """Forget it at once, with its essay and all that was said of it, in its batch, too. Raises NotFound, EssayBusy,
    CatalogUnavailable, BucketUnavailable; called again, it goes on."""
    if origin := context.history.store.find(school, id).origin:
        with suppress(NotFound):  # the batch is forgotten already
            _forget_essay(BatchKey(school, origin.batch), origin.number, context)
    remove_feedback(school, id, context.history)


def _forget_essay(key: BatchKey, number: int, context: BatchContext) -> None:
    with context.store.claim(key, number):
        context.store.forget(key, number, FORGOTTEN, DELETED)
        forget_words(context.results, key, number)
        _forget_submitted_text(key, context)


def _forget_submitted_text(key: BatchKey, context: BatchContext) -> None:
    """Of all that are to be forgotten: looked up anew after each write, so that of two who write at once none brings back what
    the other has taken away."""
    written: frozenset[int] = frozenset()
    while (gone := forgotten_of(context.store.essays(key))) != written:
        content = load_essays(context.results, key)
        context.results.write(essays_name(key), packed(without(content.entries.values(), gone), content.books))
        written = gone


def content_of(key: BatchKey, context: BatchContext) -> BatchContent:
    """Read once a process: a batch's tasks come one after the other. Raises NotFound."""
    return context.services.recent.get(("batch", key), lambda: load_essays(context.results, key))


def request_of(key: BatchKey, entry: Entry, context: BatchContext) -> FeedbackRequest:
    """What give_feedback takes for that essay; its teacher's title counts. Raises NotFound."""
    scope = content_of(key, context).scope(key.school)
    return FeedbackRequest(entry.text, scope, submission=Submission(origin=Origin(key.batch, entry.number)), title=entry.title)
