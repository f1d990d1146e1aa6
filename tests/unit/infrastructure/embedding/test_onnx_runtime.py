import os
import subprocess
import sys
from pathlib import Path

SRC = Path(__file__).parents[3] / "src"
SILENT = ("CI", "TF_BUILD", "GITHUB_ACTIONS", "ORT_DISABLE_TELEMETRY")  # what keeps ONNX Runtime silent by itself


def test_nothing_is_written_that_could_be_sent_to_anybody(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    paths = {"HOME": outside, "XDG_CACHE_HOME": outside, "CHAPTERVERSE_HOME": tmp_path / "home"}
    environment = {name: value for name, value in os.environ.items() if name not in SILENT}
    environment |= {name: str(path) for name, path in paths.items()} | {"PYTHONPATH": os.pathsep.join([str(SRC), *sys.path])}

    found = subprocess.run(  # doctor imports it and makes a vector
        [sys.executable, "-m", "chapterverse.cli.app", "doctor"], env=environment, capture_output=True, text=True, check=False
    )

    assert "384 dimensions" in found.stdout
    assert not [file for file in outside.rglob("*") if "onnxruntime" in str(file)]
