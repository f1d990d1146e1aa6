"""What all groups of settings have in common."""

from pydantic_settings import BaseSettings, SettingsConfigDict


class Group(BaseSettings):
    """A frozen part of the settings, read from CHAPTERVERSE_*."""

    model_config = SettingsConfigDict(env_prefix="CHAPTERVERSE_", env_ignore_empty=True, frozen=True, extra="ignore")
