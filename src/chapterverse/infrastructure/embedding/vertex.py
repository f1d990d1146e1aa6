"""Our own embedder (containers/embedder) behind an endpoint of Vertex AI.

https://cloud.google.com/vertex-ai/docs/predictions/custom-container-requirements: the container answers
{"instances": […]} with {"predictions": […]}. Here an instance is one request of ours, and its prediction our response."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import google.auth

from chapterverse.infrastructure.embedding.remote import IdTokens, RemoteEmbedder, post

SCOPE = "https://www.googleapis.com/auth/cloud-platform"


class AccessTokens(IdTokens):
    """Tokens of this program's account for Google's interfaces."""

    @cached_property
    def _credentials(self) -> Any:
        return google.auth.default(scopes=[SCOPE])[0]


@dataclass(frozen=True)
class VertexEmbedder(RemoteEmbedder):
    """Embedder at an endpoint of Vertex AI. url: https://HOST/v1/projects/P/locations/L/endpoints/E."""

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        answer = post(self._http, f"{self.url}:predict", {"instances": [{"path": path, **body}]}, self._key())
        try:
            [prediction] = answer["predictions"]
        except (KeyError, TypeError, ValueError) as error:
            raise self._not_one_of_those() from error
        return prediction

    @cached_property
    def _tokens(self) -> IdTokens:
        return AccessTokens("")
