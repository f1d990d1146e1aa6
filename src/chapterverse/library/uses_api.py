"""HTTP routes of the library: every source once, with the applications that it serves.

A use is a collection that searches the file. Sources of several collections with the same id and file name are one source of
the library; the first collection that has it, in the order of Collection, is its home: corrections and pages are read there."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from pydantic import Field

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.book import BookId, Collection
from chapterverse.core.errors import NotFound
from chapterverse.core.requests import Request
from chapterverse.library.api import CORRECT_ERRORS, TEACHERS_ONLY, CollectionView
from chapterverse.library.intake import use_in, uses_of
from chapterverse.library.model import VersionState
from chapterverse.library.schemas import SourceResponse, SourcesResponse
from chapterverse.library.uploads import ENDINGS
from chapterverse.library.versions import remove_with_file
from chapterverse.web.operations import ApiTopic, Call
from chapterverse.web.schemas import PREFIX

OFFERED = (Collection.BOOKS, Collection.DOCUMENTS, Collection.TEXTBOOK, Collection.HELPDESK)
"""The uses that a source can be given; lectures cite books and documents without one."""
WITH_PAGES = (".pdf", ".epub")  # a list of questions or a zip of web pages has none
ENDS = (VersionState.READY, VersionState.FAILED, None)
topic = ApiTopic("Library")


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A source in one collection. versions: the names of its versions, none before it is read."""

    collection: Collection
    source: SourceResponse
    versions: frozenset[str] = frozenset()

    def is_same(self, other: "FoundSource") -> bool:
        """Whether both are of one file, or of a file and its replacement."""
        names = [(one.source, one.file, one.department) for one in (self.source, other.source)]
        return names[0] == names[1] and bool(self.versions & other.versions)


class LibrarySource(SourceResponse):
    """A source of the library. collection: its home; uses: the state of its newest version in each collection that has it;
    offered: the uses that its file fits; cover: address of the picture of its first page, null before it is read or for web
    pages."""

    collection: Collection
    uses: dict[Collection, VersionState | None]
    offered: list[Collection]
    cover: str | None


class LibraryResponse(SourcesResponse):
    """All sources of a school that the caller may see, by title, each once."""

    sources: list[LibrarySource]  # type: ignore[assignment]  # each is a SourceResponse


class UsesRequest(Request):
    """The uses that a source has from now on."""

    uses: list[Collection] = Field(min_length=1, max_length=len(Collection), description="At least one; others are taken back.")


@topic.operation("GET", "/library", KeyScope.STUDENT, errors.BucketUnavailable)
def library(call: Call) -> LibraryResponse:
    """Every file of the school once, by title, with its uses. Those of the help desk alone are for teachers; its
    approved answers are no file."""
    groups: list[list[FoundSource]] = []
    for collection in _visible(call):
        view = CollectionView.of(call, collection)
        versions = {each.id: each.version_names for each in view.intake.services.catalog.books(call.caller.school)}
        for source in (each for each in view.sources() if each.file.lower().endswith(ENDINGS[collection])):
            one = FoundSource(collection, source, versions.get(BookId(source.source), frozenset()))
            same = next((group for group in groups if any(map(one.is_same, group))), None)
            if same is None:
                groups.append([one])
            else:
                same.append(one)
    sources = [_one_of(group) for group in groups]
    return LibraryResponse(sources=sorted(sources, key=lambda source: (source.title.casefold(), source.source)))


@topic.operation(
    "PUT",
    "/collections/{collection}/sources/{source}/uses",
    KeyScope.TEACHER,
    errors.BadRequest,
    errors.TooLarge,
    *CORRECT_ERRORS,
)
def set_uses(call: Call, collection: Collection, source: str, body: UsesRequest) -> LibrarySource:
    """Choose the applications that a source serves. The file is not uploaded or read again; a use is ready when it is indexed,
    in the background. What is taken back is removed there. The source has to be ready in this collection."""
    intake, school = call.context.intake.of(collection), call.caller.school
    book = intake.services.catalog.book(school, BookId(source))
    if book.active is None:
        raise NotFound("not_ready_to_read")
    named, had = set(body.uses), {collection, *uses_of(book, intake)}
    with intake.services.catalog.claim(school, book.id):  # nobody removes it meanwhile
        for each in sorted(named - had, key=list(Collection).index):
            use_in(each, book, book.active.key, intake)
    for each in sorted(had - named, key=list(Collection).index):
        remove_with_file(school, book.id, intake.of(each).services, intake.uploads)
    left = [FoundSource(each, CollectionView.of(call, each).show(source)) for each in Collection if each in named]
    return _one_of(left)


def _visible(call: Call) -> list[Collection]:
    teacher = as_wide(call.caller.role, KeyScope.TEACHER)
    return [each for each in call.context.collections if teacher or each not in TEACHERS_ONLY]


def _one_of(found: Sequence[FoundSource]) -> LibrarySource:
    """The source that these are, one in each collection; its state is that of the first that is not ready, else the home's."""
    in_order = sorted(found, key=lambda one: list(Collection).index(one.collection))
    home = next((one for one in in_order if one.source.version), in_order[0])
    own = home.source
    telling = next((one.source for one in in_order if one.source.state not in ENDS), own)
    progress = {name: getattr(telling, name) for name in ("state", "progress", "reason", "message")}
    fits = [each for each in OFFERED if own.file.lower().endswith(ENDINGS[each])] if own.department is None else []
    return LibrarySource(
        **own.model_dump() | progress,
        collection=home.collection,
        uses={one.collection: one.source.state for one in in_order},
        offered=fits,
        cover=_cover(home.collection, own),
    )


def _cover(collection: Collection, source: SourceResponse) -> str | None:
    if not source.version or not source.file.lower().endswith(WITH_PAGES):
        return None
    query = urlencode({"collection": collection.value, "version": source.version})
    return f"{PREFIX}/pages/{quote(source.source, safe='')}/0/thumbnail.png?{query}"
