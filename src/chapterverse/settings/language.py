"""The language model and what it may cost."""

from pydantic import Field, SecretStr

from chapterverse.settings.group import Group


class LanguageSettings(Group):
    """The language model and what it may cost."""

    llm: str = Field(
        "",
        pattern="^(|gemini|openai)$",
        description="What writes feedback: Gemini on Vertex AI (gemini), any server that speaks OpenAI's chat completions, a "
        "local one such as llama.cpp or Ollama, too (openai), or rules without a language model (empty).",
    )
    llm_url: str = Field("", description="Address of the language model that ends in /v1; for gemini: another than Google's.")
    llm_model: str = Field("", description="The language model, as its server calls it.")
    llm_key: SecretStr = Field(SecretStr(""), description="API key of the language model, where it is openai.")
    llm_audience: str = Field(
        "",
        description="Audience of the identity token that goes along, where it is openai on Cloud Run: the service's address.",
    )
    llm_project: str = Field("", description="Google Cloud project that Gemini is called in.")
    llm_location: str = Field("global", description="Vertex AI location that Gemini is called at, e.g. europe-west1.")
    llm_seconds: float = Field(2.0, gt=0, description="Seconds that the language model may take of an essay's time.")
    llm_day_ceiling: float = Field(
        5.0, ge=0, description="What a school's language model may cost in a day (UTC); beyond it rules write the feedback."
    )
    llm_price_prompt: float = Field(
        0.0, ge=0, description="Price of a million tokens that are read, in the ceiling's currency."
    )
    llm_price_answer: float = Field(0.0, ge=0, description="Price of a million tokens that are written.")
