"""What Google's interfaces take and give, by their discovery documents (tests/fixtures/google_discovery.json): a double of one
refuses what the real one does not know, and says nothing that it would not."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCHEMAS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "fixtures" / "google_discovery.json").read_text("utf-8"))[
    "schemas"
]
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict, "array": list}


def refused(schema: str, value: object) -> list[str]:
    """The fields of a JSON value that the schema does not have, or not with such a value; a_name is taken as aName, too."""
    return list(_refused({"$ref": schema}, value, schema))


def _refused(kind: dict[str, Any], value: Any, where: str) -> Iterator[str]:
    kind = SCHEMAS[kind["$ref"]] if "$ref" in kind else kind
    if kind["type"] == "any":
        return
    if not isinstance(value, TYPES[kind["type"]]) or value not in kind.get("enum", [value]):
        yield f"{where}: {value!r:.60}"
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _refused(kind["items"], each, f"{where}[{number}]")
    elif isinstance(value, dict):
        known = kind.get("properties", {})
        for name, each in value.items():
            camel = re.sub("_(.)", lambda letter: letter[1].upper(), name)
            if of_name := known.get(camel, kind.get("additionalProperties")):
                yield from _refused(of_name, each, f"{where}.{name}")
            else:
                yield f"{where} has no {name}"
