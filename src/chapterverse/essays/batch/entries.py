"""Essays as a teacher submits them: JSON lines, files, or a zip of files.

An entry that cannot be used has a `problem` and does not stop the others."""

import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count, repeat
from os import cpu_count
from pathlib import PurePosixPath
from typing import Any

from bookreader.errors import BadFile
from bookreader.html.files import entries_of, read_within, refuse_unsafe, zip_errors_as_ours
from chapterverse.core.errors import BadRequest
from chapterverse.essays.task import MAX_TASK_CHARACTERS
from chapterverse.essays.text import composed, text_of
from chapterverse.library.services import TextFinder
from chapterverse.messages import Message, message

NAMES = ("id", "title", "text", "task")  # of fields
ENDINGS = (".txt", ".md", ".markdown", ".docx", ".odt", ".pdf")  # of an essay's file
AT_ONCE = min(4, cpu_count() or 1)  # files read in parallel, each by its own subprocess
MAX_NAME_LENGTH = 200  # characters of an id or a title
UTF_8 = 0x800  # a bit of a zip entry's flags (APPNOTE 6.3.10, 4.4.4): its name is in UTF-8


@dataclass(frozen=True, slots=True)
class EssayEntry:
    """One line or file. number: its position, from 1; problem: why it cannot be used, None if it can; task: what the
    teacher set, may be empty."""

    number: int
    id: str
    title: str | None = None
    text: str = ""
    problem: Message | None = None
    task: str = ""


def entries_in_jsonl(data: bytes) -> list[EssayEntry]:
    """The entries in JSON lines: "id", "title", "text", "task". Empty lines are skipped."""
    return [_entry_of_line(number, line) for number, line in enumerate(data.split(b"\n"), start=1) if line.strip()]


def entries_in_files(files: Iterable[tuple[str, bytes]], find: TextFinder) -> list[EssayEntry]:
    """One entry per file (plain text, Word, OpenDocument or PDF). Its id is the file's name without the ending, with the
    folder's name if several files have the same name. Ids may still repeat; the number is unique."""
    given = [(PurePosixPath(name), data) for name, data in files]
    alike = Counter(path.stem for path, _ in given)
    ids = [f"{path.parent.name}: {path.stem}" if alike[path.stem] > 1 and path.parent.name else path.stem for path, _ in given]
    with ThreadPoolExecutor(AT_ONCE) as readers:
        return list(readers.map(_entry_of_file, count(1), ids, (data for _, data in given), repeat(find)))


def entries_in_zip(data: bytes, max_files: int, max_bytes: int, find: TextFinder) -> list[EssayEntry]:
    """The entries in a zip of files, sorted by path, then one with a problem for each file of another kind; hidden files are
    skipped. max_files: number of essays; max_bytes: of all of them, unpacked. Raises BadRequest."""
    try:
        with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(data)) as archive:
            refuse_unsafe(entries := entries_of(archive))
            hidden = re.compile(r"(?:^|/)(?:\.|~\$|__MACOSX/)")  # of Unix, macOS, or Word's lock files
            shown = sorted((one for one in entries if not hidden.search(one.filename)), key=_path_of)
            essays = [one for one in shown if one.filename.lower().endswith(ENDINGS)]
            if not essays:
                raise BadRequest("zip_without_essay", endings=", ".join(ENDINGS))
            if len(essays) > max_files:
                raise BadRequest("zip_too_many_essays", essays=len(essays), max_essays=max_files)
            files = zip(map(_path_of, essays), read_within(archive, essays, max_bytes), strict=True)
            found = entries_in_files(((path, file.data) for path, file in files), find)
            others = enumerate((PurePosixPath(_path_of(one)).name for one in shown if one not in essays), len(found) + 1)
            return found + [_unusable(number, message("file_kind_unknown"), name) for number, name in others]
    except BadFile as error:
        raise BadRequest(error.message) from error


def _path_of(entry: zipfile.ZipInfo) -> str:
    """The entry's name. macOS writes UTF-8 without the flag for it; then zipfile has decoded it as code page 437."""
    try:
        return entry.filename if entry.flag_bits & UTF_8 else entry.filename.encode("cp437").decode()
    except UnicodeError:
        return entry.filename


def _entry_of_line(number: int, line: bytes) -> EssayEntry:
    try:
        fields = json.loads(line.decode("utf-8-sig"))
    except ValueError:
        return _unusable(number, message("essay_line_not_json", line=number))
    if not isinstance(fields, dict):
        return _unusable(number, message("essay_line_not_object", line=number))
    return _entry(message("line_of_list", number=number), number, fields)


def _entry_of_file(number: int, id: str, data: bytes, find: TextFinder) -> EssayEntry:
    if not data.strip():
        return _unusable(number, message("essay_file_empty"), id)
    try:
        return _entry(message("file_of_batch", number=number), number, {"id": id, "text": text_of(data, find)})
    except BadRequest as refusal:
        return _unusable(number, refusal.message, id)


def _entry(where: Message, number: int, fields: Mapping[str, Any]) -> EssayEntry:
    given = {name: fields.get(name) for name in NAMES}
    if wrong := next((name for name, one in given.items() if not isinstance(one, str | int | None) or one is True), None):
        return _unusable(number, message("essay_field_not_text", where=where, field=wrong))
    whole = (str(given[name] if given[name] is not None else "").encode("utf-8", "replace").decode() for name in NAMES)
    id, title, text, task = (composed(each).strip() for each in whole)
    if not text:
        return _unusable(number, message("essay_without_text", where=where), id)
    if max(len(id), len(title)) > MAX_NAME_LENGTH or not (id + title).isprintable():
        return _unusable(number, message("essay_name_too_long", where=where, max_characters=MAX_NAME_LENGTH))
    return EssayEntry(number, id or str(number), title or None, text, task=task[:MAX_TASK_CHARACTERS])


def _unusable(number: int, problem: Message, id: str = "") -> EssayEntry:
    id = composed(id)
    return EssayEntry(number, id[:MAX_NAME_LENGTH] if id.isprintable() and id else str(number), problem=problem)
