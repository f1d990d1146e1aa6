"""Print the OpenAPI document of the HTTP interface as JSON; the types of the pages' scripts are generated from it."""

import json

from chapterverse.web.app import OPERATIONS
from chapterverse.web.openapi import document

if __name__ == "__main__":
    print(json.dumps(document(OPERATIONS), indent=1))
