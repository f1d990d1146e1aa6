import time

from chapterverse.core.ports import Prompt
from chapterverse.infrastructure.llm.openai_compatible import OpenAiModel, open_client
from tests.support.language_servers import MODEL, language_server, says

PROMPT = Prompt("a-prompt-1", "Answer in JSON.", "An essay.")


def test_an_identity_token_goes_beside_the_key_and_is_asked_for_with_every_call() -> None:
    tokens = iter(["first", "second"])
    with language_server(says({})) as server:
        model = OpenAiModel(open_client(f"{server.url}/v1", "a key", lambda: next(tokens)), MODEL)

        for _ in range(2):
            model.generate(PROMPT, {}, time.monotonic() + 10)

    assert [asked.token for asked in server.asked] == ["Bearer first", "Bearer second"]


def test_without_a_token_none_is_sent() -> None:
    with language_server(says({})) as server:
        server.openai("a key").generate(PROMPT, {}, time.monotonic() + 10)

    assert [asked.token for asked in server.asked] == [""]
