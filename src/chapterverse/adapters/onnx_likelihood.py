"""Likelihood on ONNX Runtime: a small language model on the CPU, or on a GPU where that is what ONNX Runtime was built for."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any

from tokenizers import Tokenizer

from chapterverse.adapters.gguf_files import SMALL_MODEL, find_gguf
from chapterverse.adapters.gguf_llama import DOCUMENT
from chapterverse.adapters.llama_files import LlamaFiles, llama_files
from chapterverse.adapters.llama_onnx import WINDOW
from chapterverse.adapters.onnx_embedder import available_cores
from chapterverse.adapters.onnx_runtime import onnx_runtime
from chapterverse.adapters.token_packs import Pack, Tokens, fitted, lay_out, mean_by_pair, plan_packs
from chapterverse.errors import ModelUnavailable

CPU_PACK, GPU_PACK = 256, 4096  # tokens at once: on a CPU more is no faster, and longer in attention
CUDA = "CUDAExecutionProvider"
ERRORS = 3  # of ONNX Runtime's levels of logging


@dataclass
class Pace:
    """How long a token takes here and now, so that nothing is begun that cannot be finished."""

    seconds: float = 0.0

    def allows(self, tokens: int, deadline: float) -> bool:
        """Whether so many tokens will probably be through in time; unknown at first, so that is tried."""
        return monotonic() + tokens * self.seconds < deadline

    def learn(self, tokens: int, seconds: float) -> None:
        """Half of it is what was known: other programs come and go."""
        latest = seconds / tokens
        self.seconds = (self.seconds + latest) / 2 if self.seconds else latest


@dataclass(frozen=True)
class OnnxLikelihood:
    """Likelihood by a model of Llama's kind. Nothing is looked for or loaded before the first pair.

    cache: folder for what is made of its file. name: of a .gguf file; empty: SmolLM2-135M. threads: packs at a time, each
    in one thread, as in OnnxEmbedder. int8: half the time for 0.03 nats of noise in a mean; None: on a CPU."""

    cache: Path
    name: str = ""
    threads: int = field(default_factory=available_cores)
    int8: bool | None = None
    pace: Pace = field(default_factory=Pace)

    @property
    def model(self) -> str:
        return Path(self.name or SMALL_MODEL).stem

    def log_probs(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        deadline += self._load()
        tokens = self.tokens(pairs)
        found: list[float | None] = [None if text else 0.0 for _, text in tokens]
        if packs := plan_packs(tokens, GPU_PACK if self._on_gpu else CPU_PACK):
            run = partial(self._run, self._session, deadline)
            with ThreadPoolExecutor(self.threads) as pool:
                for number, mean in chain.from_iterable(pool.map(run, packs)):
                    found[number] = mean
        return found

    def _load(self) -> float:
        """Seconds that it took; threads that begin at once would all load it."""
        began = monotonic()
        _ = self._session, self._tokenizer
        return monotonic() - began

    def _run(self, session: Any, deadline: float, pack: Pack) -> list[tuple[int, float]]:
        """The number and the mean of each pair; nothing where there is no time for them."""
        if not self.pace.allows(pack.size, deadline):
            return []
        began, laid = monotonic(), lay_out(pack)
        [log_probs] = session.run(None, laid.inputs)
        self.pace.learn(pack.size, monotonic() - began)
        return mean_by_pair(laid, log_probs)

    def tokens(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[Tokens, Tokens]]:
        """Each prompt, from the start of a document, and its text; of what is too long the prompt's beginning is left out."""
        prompts = self._encoded([prompt for prompt, _ in pairs])
        texts = self._encoded([text for _, text in pairs])
        return [fitted((self._start, *prompt), text, WINDOW) for prompt, text in zip(prompts, texts, strict=True)]

    def _encoded(self, texts: Sequence[str]) -> list[Tokens]:
        sound = [text.encode("utf-8", "replace").decode() for text in texts]  # half a surrogate pair would be refused
        return [tuple(encoding.ids) for encoding in self._tokenizer.encode_batch(sound, add_special_tokens=False)]

    @cached_property
    def _files(self) -> LlamaFiles:
        return llama_files(find_gguf(self.name), self.cache, int8=not self._on_gpu if self.int8 is None else self.int8)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return self._files.tokenizer

    @cached_property
    def _start(self) -> int:
        start = self._tokenizer.token_to_id(DOCUMENT)
        if start is None:
            raise ModelUnavailable("model_no_start_token", model=self.model)
        return start

    @cached_property
    def _on_gpu(self) -> bool:
        return CUDA in onnx_runtime().get_available_providers()

    @cached_property
    def _session(self) -> Any:
        runtime = onnx_runtime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = ERRORS  # below it tells of every constant that it has folded
        providers = [CUDA, "CPUExecutionProvider"] if self._on_gpu else ["CPUExecutionProvider"]
        try:
            return runtime.InferenceSession(self._files.graph, options, providers=providers)
        except Exception as error:  # its errors have no base of their own
            raise ModelUnavailable("onnx_graph_not_loaded", path=self._files.graph) from error
