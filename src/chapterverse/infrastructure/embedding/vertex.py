"""Our own embedder (containers/embedder) behind an endpoint of Vertex AI.

https://cloud.google.com/vertex-ai/docs/predictions/custom-container-requirements: the container answers
{"instances": […]} with {"predictions": […]}. Here an instance is one request of ours, and its prediction our response."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from google.api_core.exceptions import GoogleAPICallError
from google.auth.credentials import Credentials
from google.auth.exceptions import GoogleAuthError
from google.cloud.aiplatform_v1.services.prediction_service import PredictionServiceClient
from google.protobuf.json_format import MessageToDict
from requests.exceptions import RequestException

from chapterverse.core.errors import EmbedderUnavailable, ModelUnavailable
from chapterverse.infrastructure.embedding.remote import WITHIN, RemoteEmbedder, error_of

VERSION = "/v1/"  # of the API, in an endpoint's address


@dataclass(frozen=True)
class VertexEmbedder(RemoteEmbedder):
    """Embedder at an endpoint of Vertex AI. url: https://HOST/v1/projects/P/locations/L/endpoints/E. credentials: the
    workload's own by default."""

    credentials: Credentials | None = None

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        endpoint = urlsplit(self.url).path.removeprefix(VERSION)
        instance = {"path": path, **body}
        try:
            answer = self._client.predict(endpoint=endpoint, instances=[instance], timeout=WITHIN[1], retry=None)
            [prediction] = MessageToDict(answer._pb)["predictions"]  # proto-plus names no other way
        except GoogleAuthError as error:
            raise EmbedderUnavailable("embedder_no_token") from error
        except GoogleAPICallError as error:
            raise error_of(int(error.code or 0)) from error
        except RequestException as error:
            raise EmbedderUnavailable("embedder_away") from error
        except (KeyError, ValueError) as error:
            raise ModelUnavailable("embedder_not_at_url", url=self.url) from error  # another protocol
        return prediction

    @cached_property
    def _client(self) -> PredictionServiceClient:
        parts = urlsplit(self.url)
        options = {"api_endpoint": f"{parts.scheme}://{parts.netloc}"}
        return PredictionServiceClient(credentials=self.credentials, transport="rest", client_options=options)
