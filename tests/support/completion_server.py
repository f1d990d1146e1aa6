"""A server of OpenAI's older completions that tells the probabilities of its prompt, as vLLM does; a character is a token."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any
from zlib import crc32

from flask import Flask, jsonify, request
from werkzeug.serving import make_server

MODEL = "tiny"


@contextmanager
def completion_server(*, tells: bool = True) -> Iterator[str]:
    """Its address, ending in /v1, until the block ends. tells: whether it knows what `echo` and `logprobs` mean."""
    running = make_server("127.0.0.1", 0, _app(tells=tells), threaded=True)
    running.daemon_threads = True
    thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_port}/v1"
    finally:
        running.shutdown()
        thread.join()
        running.socket.close()


def _app(*, tells: bool) -> Flask:
    app = Flask("completions")

    @app.post("/v1/completions")
    def completions() -> Any:
        asked = request.get_json()
        assert asked["echo"]
        assert asked["logprobs"]
        choices = [_choice(number, text, tells=tells) for number, text in enumerate(asked["prompt"])]
        choices.reverse()  # nobody promises an order
        return jsonify({"id": "1", "object": "text_completion", "created": 0, "model": MODEL, "choices": choices})

    return app


def _choice(number: int, prompt: str, *, tells: bool) -> dict[str, Any]:
    """The prompt, and one character more."""
    text = f"{prompt}!"
    log_probs = [None, *(-(crc32(text[:end].encode()) % 97 + 1) / 20 for end in range(2, len(text) + 1))]
    told = {"tokens": list(text), "token_logprobs": log_probs, "text_offset": list(range(len(text))), "top_logprobs": None}
    return {"index": number, "text": text, "finish_reason": "length", "logprobs": told if tells else None}
