"""Attack the program in every way that there is a test for, within 15 minutes, on the loopback: `make attack`.

Each row of the table is a command of its own with its own time; a row that does not end in it is told as unfinished. Tries are
test cases, or what the command prints as `tries=`; breaches are failed ones. The mutants come last and have the time that is
left: 10,000 of them need about four minutes of two cores."""

import argparse
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from time import monotonic

PYTEST = (sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider")
_TOLD = re.compile(r"tries=(\d+) breaches=(\d+)")
_PASSED, _FAILED = re.compile(r"(\d+) passed"), re.compile(r"(\d+) (?:failed|errors?)")


@dataclass(frozen=True, slots=True)
class Attack:
    """A row. seconds: it is stopped after."""

    name: str
    command: tuple[str, ...]
    seconds: int


SECONDS, LOADING_SECONDS = 880, 15  # of all attacks; of the mutants' reader
MUTANTS = "mutated PDFs, e-books, folders"
ATTACKS = (
    Attack("another school's or person's things, every route", (*PYTEST, "tests/unit/web/test_strangers.py"), 150),
    Attack("half-sent, slow, large and many requests", (*PYTEST, "tests/unit/web/test_server.py"), 60),
    Attack("essays that keep the processor busy", (*PYTEST, "-k", "time_of_an_essay", "tests/unit/essays"), 60),
    Attack("a language model that obeys", (*PYTEST, "tests/integration/test_attacks.py"), 60),
    Attack(
        "lying sign-in and learning platform",
        (*PYTEST, "tests/unit/accounts/test_oidc.py", "tests/unit/lti/test_conformance.py"),
        60,
    ),
    Attack("kills", (*PYTEST, "tests/chaos/test_kill.py"), 150),
    Attack(
        "disk full or read-only, stores damaged or empty, clock wrong",
        (
            *PYTEST,
            "tests/unit/web/test_problems.py",
            "tests/unit/library/test_cli.py::test_a_damaged_index_is_rebuilt_by_the_next_search_which_finds_the_same",
            "tests/unit/cli/test_doctor.py::test_a_catalog_that_is_empty_or_cut_off_beside_stored_books_is_named",
            "tests/unit/cli/test_serve.py::test_a_clock_that_leaps_ahead_has_a_day_to_be_put_right_before_anything_is_removed",
            "tests/contract/test_token_buckets.py::test_a_clock_that_is_set_back_refuses_nobody",
        ),
        90,
    ),
    Attack(
        "load of one school on another",
        (sys.executable, "-m", "scripts.bench.attack_load", "--essays", "12", "--books", "2"),
        150,
    ),
)


def mutants(seconds: float) -> Attack:
    """The last attack, which has the time that the others left."""
    command = (sys.executable, "-m", "scripts.attack_files", "--seconds", str(seconds - LOADING_SECONDS))
    return Attack(MUTANTS, command, int(seconds))


def row(attack: Attack) -> tuple[str, bool]:
    """The row of the table, and whether the attack failed to do harm."""
    with subprocess.Popen(
        attack.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as done:
        try:
            out, _ = done.communicate(timeout=attack.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(done.pid, signal.SIGKILL)
            out, _ = done.communicate()
            return f"| {attack.name} | – | unfinished after {attack.seconds} s |", False
    if told := _TOLD.search(out):
        tries, breaches = map(int, told.groups())
    else:
        passed, failed = (int(found[1]) if (found := each.search(out)) else 0 for each in (_PASSED, _FAILED))
        tries, breaches = passed + failed, failed
    if done.returncode:
        print(out[-3_000:], file=sys.stderr)
    return f"| {attack.name} | {tries or '–'} | {breaches or done.returncode} |", done.returncode == 0


def main() -> int:
    """Print the table; 1 if any attack did harm or did not end."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("only", nargs="*", help="words of the names of the attacks to try")
    only = options.parse_args().only
    print("| Attack | Tries | Breaches |\n| --- | --- | --- |", flush=True)
    failed, until = False, monotonic() + SECONDS
    for attack in (*ATTACKS, Attack(MUTANTS, (), 0)):
        if not only or any(each in attack.name for each in only):
            line, is_good = row(mutants(until - monotonic()) if attack.name == MUTANTS else attack)
            print(line, flush=True)
            failed = failed or not is_good
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
