"""A role of the course is a role here (LTI 1.3 Core, A.2). Only the course's count: who teaches elsewhere may be a student in
it."""

from collections.abc import Iterable

from chapterverse.model import KeyScope

COURSE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
BELOW = "http://purl.imsglobal.org/vocab/lis/v2/membership/"
OF_THE_SCHOOL = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#"
OF_THE_PLATFORM = "http://purl.imsglobal.org/vocab/lis/v2/system/person#"
TEACH = frozenset({f"{COURSE}Instructor", f"{COURSE}Administrator"})
RUN = frozenset(f"{of}{name}" for of in (OF_THE_SCHOOL, OF_THE_PLATFORM) for name in ("Administrator", "SysAdmin"))
ASSIST = "TeachingAssistant"
"""Canvas calls an assistant an Instructor, too; often it is a student, who is not to see the essays of a whole school."""
WIDTH = list(KeyScope)


def role_of(roles: Iterable[str], widest: KeyScope) -> KeyScope:
    """What somebody of these roles may do, at most `widest`."""
    told = frozenset(roles)
    return min(_told(told), widest, key=WIDTH.index)


def learns(roles: Iterable[str]) -> bool:
    """Whether essays are expected of them."""
    told = frozenset(roles)
    return _told(told) is KeyScope.STUDENT and any(each in {f"{COURSE}Learner", "Learner"} for each in told)


def _told(roles: frozenset[str]) -> KeyScope:
    if roles & RUN:
        return KeyScope.ADMIN
    assists = any(each.startswith((BELOW, COURSE)) and ASSIST in each for each in roles)
    teaches = bool(roles & TEACH) or any(each.startswith((f"{BELOW}Instructor#", f"{BELOW}Administrator#")) for each in roles)
    return KeyScope.TEACHER if (teaches or "Instructor" in roles) and not assists else KeyScope.STUDENT
