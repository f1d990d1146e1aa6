"""Limits vLLM's server to the paths that chapterverse uses.

vLLM's key protects only /v1 and a few others; its other paths answer anybody, and some of them use or pause the model:
https://docs.vllm.ai/en/stable/usage/security/. All other paths return 404."""

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
    """ASGI middleware (https://asgi.readthedocs.io/en/latest/specs/www.html): 404 for all other paths, no web sockets."""

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
