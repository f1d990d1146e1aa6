"""ONNX Runtime, which from 1.29 on tells Microsoft of every process and model unless it is told not to before it is loaded."""

import os
from typing import Any


def onnx_runtime() -> Any:
    """The module `onnxruntime`, to be had from here only: nothing is sent, no device id and no cache of events is written.

    Its own `disable_telemetry_events` comes too late: being imported is enough for it (microsoft/onnxruntime#25573)."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime
