"""The HTTP interface."""

from pydantic import Field

from chapterverse.settings.group import Group


class WebSettings(Group):
    """The HTTP interface."""

    max_body_bytes: int = Field(2**20, ge=1024, description="Bytes of one HTTP request.")
    requests_per_minute: int = Field(120, ge=1, description="Requests a minute of one API key.")
    max_open_requests: int = Field(
        64, ge=1, description="Requests that one process answers at once; beyond it callers get 429."
    )
    max_open_streams: int = Field(200, ge=1, description="Lectures' streams of events that one process keeps open beside them.")
    segments_per_minute: int = Field(
        1200, ge=1, description="Hand-ins a minute, of what is said in lectures, of one API key: 20 lectures, one a second."
    )
    upload_url_seconds: int = Field(900, ge=60, description="Seconds that an address for an upload is good for.")
