"""A language model of one small layer with random weights, as a .gguf file: the real library runs it, and it knows nothing."""

from pathlib import Path

import numpy as np
from gguf import GGUFWriter, TokenType
from numpy.typing import NDArray

WIDTH, HEADS, INNER = 32, 2, 64
CONTEXT = 1024  # tokens
SIGNS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


def write_tiny_model(path: Path) -> Path:
    """Every byte is a token, so it can say anything and any schema."""
    writer = GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    _add_tokens(writer)
    for name, weights in _weights().items():
        writer.add_tensor(name, weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_tokens(writer: GGUFWriter) -> None:
    tokens = _tokens()
    normal = len(tokens) - len(SIGNS)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([TokenType.NORMAL] * normal + [TokenType.CONTROL] * len(SIGNS))
    writer.add_token_merges(["t h"])
    writer.add_eos_token_id(normal + SIGNS.index("<|im_end|>"))


def _tokens() -> list[str]:
    """GPT-2's letters for bytes: those that can be printed are themselves, the others letters from U+0100 on."""
    printed = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printed]
    return [chr(byte) for byte in printed] + [chr(256 + place) for place in range(len(others))] + ["th", *SIGNS]


def _weights() -> dict[str, NDArray[np.float32]]:
    random = np.random.default_rng(7)

    def matrix(rows: int, columns: int) -> NDArray[np.float32]:
        return random.normal(0, 0.1, (rows, columns)).astype(np.float32)

    tokens = matrix(len(_tokens()), WIDTH)
    tokens[-len(SIGNS) :] = 0  # so that it ends only where its schema does
    return {
        "token_embd.weight": tokens,
        "output_norm.weight": np.ones(WIDTH, np.float32),
        "blk.0.attn_norm.weight": np.ones(WIDTH, np.float32),
        "blk.0.ffn_norm.weight": np.ones(WIDTH, np.float32),
        **{f"blk.0.attn_{part}.weight": matrix(WIDTH, WIDTH) for part in ("q", "k", "v", "output")},
        "blk.0.ffn_gate.weight": matrix(INNER, WIDTH),
        "blk.0.ffn_up.weight": matrix(INNER, WIDTH),
        "blk.0.ffn_down.weight": matrix(WIDTH, INNER),
    }
