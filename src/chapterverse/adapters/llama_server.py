"""llama.cpp in this process, loaded so that nobody outside it can reach it (extra `llm-local`)."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from chapterverse.adapters.onnx_embedder import available_cores
from chapterverse.errors import ModelUnavailable

SILENT = -1  # what it would print may quote an essay
STEP = 128  # tokens of a prompt that are read at a time: between two steps it can be stopped


@cache
def open_llama(path: Path, context: int) -> Any:
    """A Server of xllamacpp with the model of that file; context: tokens of prompt and answer together, one request at a time.

    It always opens a listener (2026.10), without a key on a port unless told otherwise: here it is a socket file in a folder
    that only this user may enter, and that is gone when this returns. What is loaded stays until Python ends: of two that
    live, the later cannot be ended before the earlier without a hang. Raises ModelUnavailable."""
    try:
        from xllamacpp import CommonParams, Server
    except ImportError as error:
        raise ModelUnavailable("llama_cpp_missing") from error
    with TemporaryDirectory() as folder:
        params = CommonParams()
        params.model.path = str(path)
        params.hostnames = [f"{folder}/llama.sock"]
        params.ui, params.verbosity = False, SILENT
        params.n_ctx, params.n_batch, params.n_parallel = context, STEP, 1
        params.cache_ram_mib = 0  # of earlier essays nothing is kept
        params.cpuparams.n_threads = available_cores()
        try:
            return Server(params)
        except RuntimeError as error:
            raise ModelUnavailable("llama_cpp_not_loaded", path=path) from error
