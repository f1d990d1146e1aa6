"""A program that runs as a service account calls the embedder, which lets in only the accounts named."""

import os
import subprocess
import sys

import pytest
from google.auth import jwt

from chapterverse.core.errors import Forbidden, Unauthenticated
from chapterverse.web.auth import ServiceAuthenticator
from tests.support.emulators import emulator

AUDIENCE = "https://embedder.example"
CALL = (
    "from chapterverse.infrastructure.embedding.remote import IdTokens; "
    f"ask = IdTokens({AUDIENCE!r}); assert ask() == ask(); print(ask())"
)


def test_the_token_of_a_service_account_opens_the_embedders_door() -> None:
    with emulator("scripts.cloud_local.tasks") as ports:
        metadata = f"127.0.0.1:{ports['certs_port']}"  # google.auth reads where that is when it is imported
        environment = os.environ | {
            "GCE_METADATA_HOST": metadata,
            "GCE_METADATA_IP": metadata,
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        asked = subprocess.run([sys.executable, "-c", CALL], env=environment, capture_output=True, text=True, check=True)
        header = f"Bearer {asked.stdout.strip()}"
        certs = f"http://{metadata}/certs"
        account = jwt.decode(asked.stdout.strip(), verify=False)["email"]

        assert ServiceAuthenticator(AUDIENCE, frozenset({account}), certs).admit(header) == account
        with pytest.raises(Forbidden):
            ServiceAuthenticator(AUDIENCE, frozenset({"somebody@else"}), certs).admit(header)
        with pytest.raises(Unauthenticated):
            ServiceAuthenticator("https://another.example", frozenset(), certs).admit(header)
