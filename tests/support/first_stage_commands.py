"""Runs commands one after the other in one process: of each line {"arguments", "stdin"}, comes {"code", "out", "err"}"""

import json
import sys

from typer.testing import CliRunner

from chapterverse.cli.app import app

if __name__ == "__main__":
    answers = sys.stdout
    for line in sys.stdin:
        asked = json.loads(line)
        done = CliRunner().invoke(app, asked["arguments"], input=asked["stdin"])
        print(json.dumps({"code": done.exit_code, "out": done.stdout, "err": done.stderr}), file=answers, flush=True)
