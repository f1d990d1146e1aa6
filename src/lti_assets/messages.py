"""The answer to a deep linking request that takes asset processors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pylti1p3.deep_link import DeepLink
from pylti1p3.registration import Registration

from lti_assets.claims import ASSET_PROCESSOR


@dataclass(frozen=True, slots=True)
class ProcessorItem:
    """An asset processor to attach to an activity. custom: comes back with each notice and message; review_url: where reports
    are opened; types: content types of files that it takes, empty for any; max_bytes: of a file."""

    title: str
    text: str
    custom: Mapping[str, str]
    review_url: str
    icon: str = ""
    types: tuple[str, ...] = ()
    max_bytes: int | None = None
    review_custom: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The content item."""
        report: dict[str, Any] = {"url": self.review_url, "custom": dict(self.review_custom), "indicator": False}
        if self.types:
            report["supportedTypes"] = list(self.types)
        item: dict[str, Any] = {
            "type": ASSET_PROCESSOR,
            "title": self.title,
            "text": self.text,
            "custom": dict(self.custom),
            "report": report,
        }
        if self.icon:
            item["icon"] = {"url": self.icon, "width": 64, "height": 64}
        if self.max_bytes:
            item["maxFileSize"] = self.max_bytes
        return item


def deep_linking_answer(registration: Registration, deployment: str, data: str | None, items: Sequence[ProcessorItem]) -> str:
    """The signed answer. data: as the request has it (Deep Linking 2.0, 4.4.5)."""
    settings: Any = {"data": data} if data else {}
    answer: Any = DeepLink(registration, deployment, settings)
    return str(answer.get_response_jwt(items))
