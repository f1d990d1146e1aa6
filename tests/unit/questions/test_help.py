"""The help desk's pages, and what a session may there: one's own conversations, and for agents what was handed over."""

from typing import Any

from flask.testing import FlaskClient

from chapterverse.accounts.model import KeyScope
from tests.support.browsers import OURS, browser_of
from tests.support.web import Site

API = "/api/v1"
ASKS = "Where do quokkas sleep?"


def ask(browser: FlaskClient, method: str, path: str, json: Any = None) -> Any:
    return browser.open(f"{API}/{path}", method=method, json=json, headers=OURS)


def begun(browser: FlaskClient) -> str:
    """A conversation with one question in it."""
    id = str(ask(browser, "POST", "conversations", {}).get_json()["id"])
    assert ask(browser, "POST", f"conversations/{id}/messages", {"message": ASKS}).status_code == 200
    return id


def test_students_chat_and_teachers_answer(library: Site) -> None:
    student, teacher = browser_of(library), browser_of(library, "thea@school.example", KeyScope.TEACHER)

    assert "Talk to a person" in student.get("/help").text
    assert "/help/inbox" not in student.get("/help").text
    assert "/help/inbox" in teacher.get("/help").text
    assert (student.get("/help/inbox").status_code, teacher.get("/help/inbox").status_code) == (403, 200)


def test_a_conversation_is_its_students_own_until_an_agent_is_asked_for(library: Site) -> None:
    ada = browser_of(library, "ada@school.example")
    other = browser_of(library, "bob@school.example")
    agent = browser_of(library, "thea@school.example", KeyScope.TEACHER)
    id = begun(ada)

    for somebody in (other, agent):
        assert ask(somebody, "GET", f"conversations/{id}").status_code == 404
        assert ask(somebody, "POST", f"conversations/{id}/messages", {"message": "Hello?"}).status_code == 404
        assert ask(somebody, "DELETE", f"conversations/{id}").status_code == 404
    assert ask(agent, "PUT", f"conversations/{id}/agent").status_code == 404

    assert ask(ada, "POST", f"conversations/{id}/handoff").status_code == 202
    assert ask(agent, "GET", f"conversations/{id}").get_json()["user"] == "ada@school.example"
    assert ask(other, "GET", f"conversations/{id}").status_code == 404
    assert ask(agent, "DELETE", f"conversations/{id}").status_code == 404


def test_who_is_signed_in_sees_their_own_conversations_and_a_key_none(library: Site) -> None:
    ada, bob = (browser_of(library, f"{name}@school.example") for name in ("ada", "bob"))
    id = begun(ada)

    [mine] = ask(ada, "GET", "conversations").get_json()["conversations"]

    assert (mine["id"], mine["begins"], mine["hand_off"]) == (id, ASKS, None)
    assert ask(bob, "GET", "conversations").get_json() == {"conversations": []}
    assert library.caller()("GET", f"{API}/conversations").status_code == 400
    assert library.caller()("POST", f"{API}/conversations", {}).status_code == 400


def test_an_agent_takes_answers_and_closes_and_an_admin_puts_back_what_another_has(library: Site) -> None:
    ada = browser_of(library, "ada@school.example")
    uma, udo = (browser_of(library, f"{name}@school.example", KeyScope.TEACHER, name=name) for name in ("Uma", "Udo"))
    admin = browser_of(library, "root@school.example", KeyScope.ADMIN)
    id = begun(ada)
    ask(ada, "POST", f"conversations/{id}/handoff", {"message": "It is urgent.", "message_id": "remark-1"})

    for _ in range(2):
        assert ask(uma, "PUT", f"conversations/{id}/agent").get_json()["agent_name"] == "Uma"
    assert ask(uma, "GET", "inbox").get_json()["conversations"] == []
    refused = ask(udo, "POST", f"conversations/{id}/replies", {"message": "I know."})
    assert (refused.status_code, refused.get_json()["code"]) == (409, "taken_by_another")
    for method, what in (("PUT", "agent"), ("PUT", "closed"), ("DELETE", "agent")):
        assert ask(udo, method, f"conversations/{id}/{what}").status_code == 409
    assert ask(admin, "DELETE", f"conversations/{id}/agent").get_json()["hand_off"] == "waiting"
    ask(uma, "PUT", f"conversations/{id}/agent")
    [[his], [hers]] = (ask(each, "GET", "inbox?state=held").get_json()["conversations"] for each in (udo, uma))
    assert (his["mine"], hers["mine"]) == (False, True)
    ask(uma, "POST", f"conversations/{id}/replies", {"message": "In the stable."})
    told = ask(ada, "POST", f"conversations/{id}/messages", {"message": "Which?"}).get_json()
    assert (told["with_agent"], told["sources"]) == (True, [])
    assert ask(uma, "PUT", f"conversations/{id}/closed").get_json()["hand_off"] == "closed"

    waits = f'href="/help#{id}"'
    assert waits in ada.get("/").text
    assert ask(ada, "GET", "conversations").get_json()["conversations"][0]["is_unread"]
    ask(uma, "GET", f"conversations/{id}")
    assert waits in ada.get("/").text  # an agent has read it, not she
    news = ask(ada, "GET", f"conversations/{id}?after=2").get_json()
    assert waits not in ada.get("/").text
    assert [turn["text"] for turn in news["turns"]] == ["It is urgent.", "In the stable.", "Which?"]
    assert ask(udo, "GET", "inbox?state=closed").get_json()["conversations"][0]["id"] == id
    told = ask(ada, "POST", f"conversations/{id}/messages", {"message": "Which stable?"}).get_json()
    assert (told["with_agent"], told["no_relevant_info"]) == (False, True)
    assert ask(ada, "POST", f"conversations/{id}/handoff").status_code == 202
    assert ask(ada, "GET", f"conversations/{id}").get_json()["hand_off"] == "waiting"
    assert ask(udo, "GET", "inbox?state=closed").get_json()["conversations"] == []
