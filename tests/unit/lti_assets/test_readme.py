"""The example of the README runs, against the platform."""

import re
from pathlib import Path
from typing import Any

import jwt

import lti_assets
from lti_assets import notices, registration, services
from lti_assets.notices import SCOPES
from lti_assets.services import AssetServices
from tests.support.lti_platform.model import CLIENT
from tests.support.lti_platform.server import lti_platform

README = Path(lti_assets.__file__).with_name("README.md")


def test_the_example_reports_on_what_is_handed_in() -> None:
    tool: dict[str, Any] = {}
    [example] = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    exec(compile(example, str(README), "exec"), tool)

    with lti_platform("https://tool.example", dict) as platform:
        platform.tokens["given"] = set(SCOPES)
        token = platform.hand_in("u-1", [("essay.txt", "text/plain", b"Three short words.")])

        def platforms(_issuer: str, _clients: list[str], _key_id: str) -> tuple[str, jwt.PyJWK]:
            return CLIENT, jwt.PyJWK.from_dict(platform.keys[0].public())

        [notice] = tool["receive"]({"notices": [{"jwt": token}]}, platforms)
        tool["work"](notice, AssetServices(lambda _scopes: "given"))

    [file] = platform.handed_in.values()
    assert [report["processingProgress"] for report in file.reports] == ["Processing", "Processed"]
    assert file.reports[-1]["result"] == "3 words"


def test_the_readme_names_only_what_the_package_has() -> None:
    named = set(re.findall(r"`(?:lti_assets\.)?([A-Z]\w+)(?:\.[\w]+)?`", README.read_text("utf-8")))

    defined = {name for module in (lti_assets, notices, registration, services) for name in vars(module)}
    assert named - defined == {"ActivityAssetProcessor", "DeepLink"}
