"""What of vLLM's server is to be had at all: what chapterverse asks, and whether it is alive.

vLLM's key guards what is below /v1 and a few more; others of its paths answer anybody, some of them with the model, some by
pausing it: https://docs.vllm.ai/en/stable/usage/security/. So all but these do not exist."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

THESE = {
    ("GET", "/health"),
    ("GET", "/v1/models"),
    ("POST", "/v1/chat/completions"),
    ("POST", "/v1/completions"),  # with prompt_logprobs: how likely a sentence is
}

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


class OnlyThese:
    """ASGI middleware (https://asgi.readthedocs.io/en/latest/specs/www.html): 404 for everything else, no web sockets."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or (scope["type"] == "http" and (scope["method"], scope["path"]) in THESE):
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await send({"type": "http.response.start", "status": 404, "headers": []})
            await send({"type": "http.response.body", "body": b""})
        else:
            await send({"type": "websocket.close", "code": 1000})
