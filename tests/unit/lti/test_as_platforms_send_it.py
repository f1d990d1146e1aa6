"""Messages in the shape in which Canvas and Moodle send them, by their public documents of 2025 and 2026 (Canvas: "Document
Processor", "Platform Notification Service", "Registration"; Moodle: mod/lti). The values are ours: nothing is copied."""

from typing import Any

import pytest

from chapterverse.lti.launching import description_of
from lti_assets.notices import LTI, SCOPE, SCOPES, MessageType, read_notice
from lti_assets.registration import (
    CANVAS,
    DEEP_LINKING,
    LINK,
    PLATFORM,
    PROCESSOR_PLACEMENT,
    TOOL,
    PlatformOffer,
    Registered,
    ToolDescription,
)
from tests.support.lti import Course
from tests.support.web import Site

AGS = "https://purl.imsglobal.org/spec/lti-ags/"
COURSE_SERVICES = [f"{AGS}scope/lineitem", f"{AGS}scope/score", f"{AGS}scope/result.readonly"]


def offer(host: str, scopes: list[str], messages: list[dict[str, Any]], **more: Any) -> PlatformOffer:
    """What a platform says of itself."""
    return PlatformOffer.model_validate(
        {
            "issuer": host,
            "authorization_endpoint": f"{host}/auth",
            "registration_endpoint": f"{host}/registrations",
            "jwks_uri": f"{host}/jwks",
            "token_endpoint": f"{host}/token",
            "token_endpoint_auth_methods_supported": ["private_key_jwt"],
            "scopes_supported": ["openid", *scopes],
            PLATFORM: {"messages_supported": messages, "variables": ["ResourceLink.id"], **more},
        }
    )


def of_canvas() -> PlatformOffer:
    """Its own placements have a prefix; those of the specification have none. A type may come without placements."""
    own = [f"{CANVAS}{name}" for name in ("assignment_selection", "course_navigation", "editor_button", "link_selection")]
    messages = [
        {"type": LINK, "placements": [*own, "ContentArea"]},
        {"type": DEEP_LINKING, "placements": [*own, PROCESSOR_PLACEMENT, "ContentArea", "RichTextEditor"]},
        {"type": MessageType.EULA},
    ]
    notices = ["LtiHelloWorldNotice", "LtiAssetProcessorSubmissionNotice", "LtiContextCopyNotice"]
    scopes = [*COURSE_SERVICES, *SCOPES, f"{SCOPE}eula/user", f"{SCOPE}eula/deployment"]
    about = {"product_family_code": "canvas", "version": "release/2026", "notice_types_supported": notices}
    return offer("https://canvas.example", scopes, messages, **about)


def of_moodle() -> PlatformOffer:
    """No asset processors, no terms; one placement."""
    messages = [{"type": LINK}, {"type": DEEP_LINKING, "placements": ["ContentArea"]}]
    about = {"product_family_code": "moodle", "version": "5.1 (Build: 20261001)"}
    return offer("https://moodle.example", COURSE_SERVICES, messages, **about)


@pytest.fixture
def us(library: Site) -> ToolDescription:
    return description_of(library.parts.lti)


def test_canvas_gets_both_placements_of_links_the_processor_and_the_terms(us: ToolDescription) -> None:
    body = us.body(of_canvas())

    placed = {name for each in body[TOOL]["messages"] if each["type"] == DEEP_LINKING for name in each.get("placements", ())}
    assert placed == {f"{CANVAS}assignment_selection", f"{CANVAS}link_selection", PROCESSOR_PLACEMENT}
    assert MessageType.EULA in {each["type"] for each in body[TOOL]["messages"]}
    assert {*SCOPES, f"{SCOPE}eula/user"} <= set(body["scope"].split())
    assert f"{SCOPE}eula/deployment" not in body["scope"]


def test_moodle_is_asked_only_for_what_it_has(us: ToolDescription) -> None:
    body = us.body(of_moodle())

    assert [each["type"] for each in body[TOOL]["messages"]] == [LINK, DEEP_LINKING]
    assert set(body["scope"].split()) == {f"{AGS}scope/lineitem", f"{AGS}scope/score"}
    assert body[TOOL]["domain"] == us.site.removeprefix("https://")  # Moodle refuses an address of another domain


def test_the_deployment_of_moodle_is_known_and_canvas_may_have_several() -> None:
    told = {"version": "1.3.0", "deployment_id": "7", "claims": ["sub"]}
    of_moodle = Registered.model_validate({"client_id": "k3", TOOL: told})
    of_canvas = Registered.model_validate({"client_id": "1007", TOOL: {"messages": []}, "deployment_id": "9:ab"})

    assert (of_moodle.deployment, of_canvas.deployment) == ("7", None)


def canvas_notice(platform: dict[str, Any], **asset: Any) -> dict[str, Any]:
    """A text that was typed in: no file name; the time of the asset is local; the submission counts attempts."""
    service = platform[f"{LTI}assetservice"]
    typed = {name: value for name, value in service["assets"][0].items() if name != "filename"}
    typed |= {"content_type": "text/html", "timestamp": "2026-11-20T03:26:44-06:00", **asset}
    return platform | {
        f"{LTI}assetservice": service | {"assets": [typed]},
        f"{LTI}notice": {"id": "n-1", "timestamp": "2026-11-20T09:26:45Z", "type": "LtiAssetProcessorSubmissionNotice"},
        f"{LTI}submission": {"id": "s-1:2"},
        f"{LTI}context": {"id": "c-1", "label": "7b", "title": "English", "type": ["CourseOffering"]},
        f"{LTI}roles": ["http://purl.imsglobal.org/vocab/lis/v2/system/person#None"],
        f"{LTI}target_link_uri": "https://school.example/lti/launch",
        "azp": platform["aud"],
        "errors": {"errors": {}},
    }


def test_a_notice_of_canvas_is_taken(english: Course) -> None:
    english.attached()
    english.platform.hand_in("u-1", [("Text entry", "text/html", b"<p>Essay.</p>")])
    [file] = english.platform.handed_in.values()
    claims = canvas_notice(english.platform.notice([file]))

    assert english.send(english.platform.signed(claims)).status_code == 202

    notice = read_notice(claims)
    [typed] = notice.files
    assert (typed.filename, typed.content_type) == (None, "text/html")
    assert typed.timestamp.utcoffset() is not None
    [known] = english.site.parts.lti.store.waiting_hand_ins()
    assert known.file.asset_id == file.id
