"""What is read of the home of the first stage: as it was stored, when it is used further, and by commands."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from tests.support.first_stage import (
    EmbeddingServer,
    Json,
    Known,
    Program,
    Read,
    Reader,
    comparable,
    run_command,
    wait_for,
    without_wording,
)

STUDENT, TEACHER, ADMIN = "key of a student", "key of a teacher", "key of a admin"

STORED = (
    # library
    Read(STUDENT, "GET /api/v1/books"),
    Read(STUDENT, "GET /api/v1/books/keeping-bees"),
    Read(TEACHER, "GET /api/v1/books/scan"),
    Read(STUDENT, "GET /api/v1/evidence/{sentence}"),
    Read(STUDENT, "GET /api/v1/pages/keeping-bees/0.png?sentence={sentence}"),
    Read(STUDENT, "GET /api/v1/textbooks"),
    Read(STUDENT, "GET /api/v1/textbooks/geography"),
    Read(STUDENT, "GET /api/v1/textbooks/geography/chapters"),
    Read(STUDENT, "GET /api/v1/documents"),
    Read(STUDENT, "GET /api/v1/documents/library-rules"),
    Read(TEACHER, "GET /api/v1/helpdesk/documents"),
    Read(STUDENT, "GET /api/v1/helpdesk/departments"),
    # essays
    Read(TEACHER, "GET /api/v1/feedback"),
    Read(TEACHER, "GET /api/v1/feedback?waiting=true"),
    Read(TEACHER, "GET /api/v1/feedback?alone=true"),
    Read(TEACHER, "GET /api/v1/feedback/export?with_text=true"),
    Read(TEACHER, "GET /api/v1/feedback/{essay}"),
    Read(TEACHER, "GET /api/v1/feedback/{second}"),
    Read(TEACHER, "GET /api/v1/feedback/{alone}"),
    Read(TEACHER, "GET /api/v1/feedback/{unapproved}"),
    Read(TEACHER, "GET /api/v1/feedback/{essay_of_class}"),
    Read("anna", "GET /api/v1/feedback/{essay}"),
    Read("anna", "GET /api/v1/feedback/{unapproved}", status=202),
    Read("ben", "GET /api/v1/feedback/{essay}", status=404),
    Read("anna", "GET /api/v1/essays/mine"),
    Read("ben", "GET /api/v1/essays/mine"),
    # a class
    Read(TEACHER, "GET /api/v1/batches"),
    Read(TEACHER, "GET /api/v1/batches/{batch}"),
    Read(TEACHER, "GET /api/v1/batches/{waiting_batch}"),
    Read(TEACHER, "GET /api/v1/batches/{batch}/essays"),
    Read(TEACHER, "GET /api/v1/batches/{batch}/essays/1"),
    Read(TEACHER, "GET /api/v1/batches/{batch}/results"),
    Read(TEACHER, "GET /api/v1/batches/{batch}/results/results.jsonl"),
    Read(TEACHER, "GET /api/v1/batches/{batch}/results/results.csv"),
    # questions
    Read(TEACHER, "GET /api/v1/answers/metrics?days=2"),
    Read(TEACHER, "GET /api/v1/answers/metrics?days=2&application=documents"),
    Read(TEACHER, "GET /api/v1/answers/cases?days=2"),
    # help desk
    Read("anna", "GET /api/v1/conversations"),
    Read("anna", "GET /api/v1/conversations/{conversation}"),
    Read(STUDENT, "GET /api/v1/conversations/{taken}"),
    Read("stein", "GET /api/v1/conversations/{closed}"),
    Read("stein", "GET /api/v1/conversations/{conversation}", status=404),
    Read("stein", "GET /api/v1/handoffs"),
    Read("stein", "GET /api/v1/inbox?state=waiting"),
    Read("stein", "GET /api/v1/inbox?state=closed"),
    Read(TEACHER, "GET /api/v1/faq"),
    Read(TEACHER, "GET /api/v1/faq/{faq}"),
    # lectures
    Read("stein", "GET /api/v1/sessions"),
    Read("ben", "GET /api/v1/sessions"),
    Read("stein", "GET /api/v1/sessions/{lecture}"),
    Read("stein", "GET /api/v1/sessions/{lecture}/windows"),
    Read("stein", "GET /api/v1/sessions/{lecture}/citations"),
    Read(STUDENT, "GET /api/v1/sessions/{ended_lecture}/windows"),
    Read(STUDENT, "GET /api/v1/sessions/{ended_lecture}/citations"),
    Read(STUDENT, "GET /api/v1/citations/{citation}"),
    # the school
    Read(TEACHER, "GET /api/v1/settings"),
    Read(TEACHER, "GET /api/v1/calibrations/documents"),
    Read(TEACHER, "GET /api/v1/calibrations/textbook"),
    Read(TEACHER, "GET /api/v1/evaluations"),
    Read(TEACHER, "GET /api/v1/evaluations/{evaluation}"),
    Read(TEACHER, "GET /api/v1/evaluations/{evaluation}/cases"),
    Read(ADMIN, "GET /api/v1/people"),
    Read("head", "GET /api/v1/people"),
    Read("stein of the course", "GET /api/v1/assignments"),
    Read("anna of the course", "GET /api/v1/assignments/{assignment}"),
    Read("stein of the course", "GET /api/v1/assignments/{assignment}/students"),  # the platform is away
)
"""In this order; they change nothing."""

ESSAY = {"essay": "Scouts dance on the swarm. A hive needs fifteen kilograms of honey for a winter.\n\nMy cousin sings."}
MORE_SPEECH = [
    {
        "id": "s5",
        "start": 20.0,
        "end": 24.0,
        "text": "Steam keeps the crust soft until the loaf has grown in the hottest oven.",
    },
    {"id": "s6", "start": 24.0, "end": 28.0, "text": "A hollow sound tells the baker that the loaf is done and can come out."},
]

GOING_ON = (
    # searches by the vectors and the words that were stored
    Read(STUDENT, "POST /api/v1/essays/evidence", ESSAY),
    Read(STUDENT, "POST /api/v1/documents/ask", {"question": "What does a book cost that comes late?"}),
    Read(
        STUDENT,
        "POST /api/v1/textbook/chat",
        {"question": "Where does a meander grow?"},
    ),
    # feedback: a mark and a choice are changed from what they were, another version follows, a teacher approves
    Read(
        "stein",
        "PUT /api/v1/feedback/{essay}/marks/content/1",
        {"seen": {"thumb": "up", "comment": "Just so."}, "thumb": "down", "comment": "Not so."},
        204,
    ),
    Read("stein", "PUT /api/v1/feedback/{essay}/evidence/1", {"seen": {"show": "pinned"}, "show": "normal"}, 204),
    Read("stein", "PUT /api/v1/feedback/{essay}/evidence/2", {"seen": {"show": "pinned"}, "show": "normal"}, 409),
    Read("stein", "PUT /api/v1/feedback/{unapproved}/approval", {"seen": False, "approved": True}, 204),
    Read("anna", "PUT /api/v1/essays/mine/{essay}/thumbs/content/2", {"thumb": "down"}, 204),
    Read("anna", "POST /api/v1/essays/feedback", {**ESSAY, "version_of": "{second}"}),
    Read("anna", "GET /api/v1/essays/mine"),
    Read("anna", "GET /api/v1/feedback/{unapproved}"),
    Read(TEACHER, "GET /api/v1/feedback/{essay}"),
    Read(TEACHER, "POST /api/v1/batches/{batch}/approval", {"essays": [1, 2, 3]}, 204),
    # the conversation goes on, an agent answers in one that had one
    Read("anna", "POST /api/v1/conversations/{conversation}/messages", {"message": "And a certificate in English?"}),
    Read("stein", "POST /api/v1/conversations/{taken}/replies", {"text": "On Fridays."}),
    Read(STUDENT, "GET /api/v1/conversations/{taken}"),
    Read("stein", "PUT /api/v1/conversations/{waits}/agent"),
    Read("stein", "PUT /api/v1/faq/{faq}", {"question": "A new card?", "answer": "Five euros.", "department": "office"}),
    Read("stein", "PUT /api/v1/faq/{faq}/approval", {"approved": True}),
    Read(TEACHER, "DELETE /api/v1/faq/{archived}", status=204),
    # the lecture goes on in the midst of its window
    Read("stein", "POST /api/v1/sessions/{lecture}/segments", {"segments": MORE_SPEECH}, 202),
    Read("stein", "POST /api/v1/sessions/{lecture}/end", status=202),
    # an answer gets another thumb
    Read(STUDENT, "POST /api/v1/answers/{answer}/thumbs", {"thumb": "down"}, 204),
    Read(TEACHER, "GET /api/v1/answers/cases?days=2"),
    # the school
    Read("head", "PUT /api/v1/settings", {"grade": 8, "evidences": 4}),
    Read("stein", "PATCH /api/v1/books/keeping-bees", {"page_labels": {"0": None}, "authors": ["J. Weide"]}),
    Read("head", "PUT /api/v1/people/late@lessing.example", {"role": "teacher"}),
    Read("stein", "DELETE /api/v1/calibrations/documents"),
)
"""In this order; each works on what was stored."""

RANKED_BY_WORDS = "POST /api/v1/documents/ask"
"""Its sources come in another order in PostgreSQL, whose word index weighs words otherwise; the recorded order is SQLite's."""

ESSAY_TEXT = "A worker lives six weeks in summer. Drones gather nectar all day.\n"


def command(what: str, stdin: str = "", now: str = "") -> Read:
    """A command that ends well, as the first stage and as today's code spell it; %20 stands for a blank within a word."""
    return Read("", what, stdin or None, status=0, now=now)


COMMANDS = (
    command("books list --json", now="sources list --json"),
    command("books show keeping-bees --json", now="sources show keeping-bees --json"),
    command("books add {sources}/keeping-bees.pdf --json"),
    command("textbook list --json", now="sources list --collection textbook --json"),
    command("textbook topics geography", now="sources topics --collection textbook geography"),
    command("documents list --json", now="sources list --collection documents --json"),
    command("documents topics library-rules", now="sources topics --collection documents library-rules"),
    command("lectures list --json", now="sources list --collection lectures --json"),
    command("helpdesk list --json", now="sources list --collection helpdesk --json"),
    command("helpdesk faq list --json"),
    command("helpdesk handoffs list --json", now="helpdesk handoffs --json"),
    command("helpdesk handoffs show {closed} --json", now="helpdesk handoffs {closed} --json"),
    command("batches list --json", now="batch --list --json"),
    command("keys list --json"),
    command("people list --json"),
    command("people oidc list --json", now="people oidc --json"),
    command("lti list --json"),
    command("marks list --json", now="marks show --json"),
    command("marks show {essay} --json"),
    command("marks export --with-text", now="marks show --export --with-text"),
    command("inspect {sources}/keeping-bees.pdf --sentences"),
    command("inspect {sources}/keeping-bees.pdf --json"),
    command("evidence - --json", ESSAY_TEXT),
    command("feedback - --json", ESSAY_TEXT),
    command("evaluate --variants {sources}/variants.jsonl --json"),
    command("ask What%20does%20a%20book%20cost%20that%20comes%20late? --json"),
    command(
        "helpdesk ask When%20does%20the%20sports%20hall%20open? --json",
        now="ask --collection helpdesk When%20does%20the%20sports%20hall%20open? --json",
    ),
)
"""In this order."""


def stored(reader: Reader) -> dict[str, Json]:
    """The answers to STORED, by name, as they come."""
    return {read.name: reader(read) for read in STORED}


def going_on(reader: Reader) -> dict[str, Json]:
    """The answers to GOING_ON, by name; first the book that was being read is read to its end."""
    state = Read(STUDENT, "GET /api/v1/books/the-ferry")
    wait_for(lambda: reader(state)["state"] == "ready", "the book whose last batch was missing")
    told = {state.name: reader(state)}
    for read in GOING_ON:
        told[f"{len(told)} {read.name}"] = reader(read)
    windows = Read("stein", "GET /api/v1/sessions/{lecture}/windows")
    wait_for(lambda: reader(windows)["ended"], "the end of the lecture")
    return told | {f"{len(told)} {windows.name}": reader(windows)}


def by_commands(program: Program, ids: Mapping[str, str], *, as_now: bool) -> dict[str, Json]:
    """The answers to COMMANDS, by name; as_now: in the spelling of today."""
    with program.commands() as commands:
        reads = COMMANDS if as_now else [replace(read, now="") for read in COMMANDS]
        return {read.name: run_command(read, commands, ids) for read in reads}


def as_compared(read: Mapping[str, Mapping[str, Json]], known: Known, age: timedelta = timedelta()) -> dict[str, Any]:
    """Of what was read, what has to be equal: all that was stored; of what is made anew, not how it is worded."""
    same = {part: comparable(dict(answers), known, age) for part, answers in read.items()}
    return {part: answers if part == "stored" else without_wording(answers) for part, answers in same.items()}


def read_all(
    program: Program, embedder: EmbeddingServer, told: Mapping[str, Any], *, as_now: bool = True
) -> dict[str, dict[str, Json]]:
    """Everything, in a home that nobody has opened since."""
    ids = {**told["ids"], "sources": str(program.home.parent / "sources")}
    embedder.willing = False
    with program.serving() as url:
        as_stored = stored(Reader(url, ids, told["secrets"]))
    embedder.willing = True
    with program.serving() as url:  # which first takes up what was left undone
        further = going_on(Reader(url, ids, told["secrets"]))
    return {"stored": as_stored, "going on": further, "commands": by_commands(program, ids, as_now=as_now)}


def record(program: Program, embedder: EmbeddingServer, told: Mapping[str, Any]) -> dict[str, Any]:
    """What the answers are compared with from now on."""
    read = read_all(program, embedder, told, as_now=False)
    return {"answers": as_compared(read, Known.of(read["stored"]))}
