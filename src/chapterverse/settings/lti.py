"""Learning platforms."""

from pydantic import Field, SecretStr

from chapterverse.settings.group import Group


class LtiSettings(Group):
    """How we are known to Moodle and Canvas."""

    lti_keys: SecretStr = Field(
        SecretStr(""),
        description="What `chapterverse lti key new` prints, where several machines sign; empty: a file lti-keys.json of HOME.",
    )
    lti_key_days: int = Field(7, ge=1, le=365, description="Days that a key which was rotated out stays published.")
