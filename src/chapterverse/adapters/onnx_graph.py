"""An ONNX graph as it is written down, node by node: what all our graph builders share."""

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass
class Graph:
    """Nodes and constants as they are added; every method returns the name of the value it adds."""

    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)

    def add(self, operator: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """A node with one output, called `name` or after its place."""
        from onnx import helper

        name = name or f"value{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def constant(self, value: NDArray[Any] | np.generic) -> str:
        """An array that is part of the graph."""
        from onnx import numpy_helper

        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def serialized(self, name: str, inputs: list[Any], outputs: list[Any], opset: int, ir_version: int) -> bytes:
        """The whole; inputs, outputs: of onnx.helper.make_tensor_value_info."""
        from onnx import helper

        body = helper.make_graph(self.nodes, name, inputs, outputs, self.constants)
        model = helper.make_model(body, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir_version)
        return bytes(model.SerializeToString())


def write_whole(path: Path, data: bytes) -> None:
    """Write or replace a file in one step: another process never sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, delete=False) as file:
        unfinished = Path(file.name)
        try:
            file.write(data)
            file.close()
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
