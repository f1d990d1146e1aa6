"""What a language model is asked: our instructions, and the essay and the books fenced off as material."""

from hashlib import sha256

from chapterverse.essay import Essay
from chapterverse.evidence.block import evidence_block
from chapterverse.feedback.comments import Dimension, Style, Subject, Tone
from chapterverse.feedback.rubric import Rubric, rubric_block
from chapterverse.language import Prompt
from chapterverse.prompts import prompt

VERSION = 2
REPAIR_VERSION = 1
TAG_LENGTH = 16  # hex digits
TONES = {
    Tone.KIND: "Be kind: say what works before what does not, and show the next step.",
    Tone.PLAIN: "Be brief: say only what to do.",
}


def ask(dimension: Dimension, subject: Subject, style: Style) -> Prompt:
    """The prompt for one dimension; only the content is asked about with the evidence (S1, "Feedback types")."""
    name = f"feedback-{dimension}-{VERSION}"
    tag = tag_of(subject, style.rubric)
    instructions = prompt(name).substitute(grade=style.grade, tone=TONES[style.tone], tag=tag)
    blocks = {"rubric": rubric_block(style.rubric)} if style.rubric else {}
    blocks |= {"evidence": evidence_block(subject.evidence)} if dimension is Dimension.CONTENT else {}
    return Prompt(name, instructions, fenced(blocks | {"essay": numbered(subject.essay)}, tag))


def ask_again(asked: Prompt, problem: str) -> Prompt:
    """The same with what was wrong with the answer."""
    repair = prompt(f"feedback-repair-{REPAIR_VERSION}").substitute(problem=problem)
    return Prompt(asked.name, asked.instructions + repair, asked.material)


def tag_of(subject: Subject, rubric: Rubric = ()) -> str:
    """The fence: a digest of all that it fences, so that none of it can hold it and close the fence itself."""
    whole = "\n".join([evidence_block(subject.evidence), numbered(subject.essay), rubric_block(rubric)])
    return sha256(whole.encode("utf-8", "replace")).hexdigest()[:TAG_LENGTH]


def fenced(blocks: dict[str, str], tag: str) -> str:
    """Each block between two lines that begin with the tag."""
    whole = "\n\n".join(f"{tag} {name} begins\n{text}\n{tag} {name} ends" for name, text in blocks.items())
    return whole.encode("utf-8", "replace").decode()  # half a surrogate pair would be refused


def numbered(essay: Essay) -> str:
    """Title and paragraphs, numbered from 1."""
    title = [f"Title: {essay.title}"] if essay.title else []
    return "\n\n".join([*title, *(f"[{n}] {paragraph.text}" for n, paragraph in enumerate(essay.paragraphs, start=1))])
