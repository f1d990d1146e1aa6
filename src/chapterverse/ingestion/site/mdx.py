"""What MDX adds to Markdown, taken off again: imports, components, expressions in tags. Their text stays."""

import re

IMPORTS = re.compile(
    r"^(?:import\s+(?:[\w*{\"'])[^\n]*(?:\n(?![ \t]*$)[^\n]*)*|export\s+(?:const|let|var|function|default|class|async|\{|\*)"
    r"[^\n]*(?:\n(?![ \t]*$)[^\n]*)*)",
    re.MULTILINE,
)
MODULE_LIKE = re.compile(r"import\s+(?:[\"']|[^\n]*\bfrom\s*[\"']|\{)|export\b")
TOKEN = re.compile(
    r"(?P<fence>^[ \t>]*(?P<mark>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t>]*(?P=mark)[`~]*[ \t]*$|\Z))"
    r"|(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).){0,5000}?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<comment>\{/\*(?!\s*#\S+\s*\*/\}).{0,5000}?\*/\})"
    r"|(?P<tag></?(?:[A-Za-z][\w.:-]*(?=[\s/>])|(?=>)))",
    re.MULTILINE | re.DOTALL,
)
ALT = re.compile(r"\balt=(?:\"([^\"]*)\"|'([^']*)')")
LONGEST_TAG = 20_000  # characters; beyond them a "<" is taken for what it is
MOST_OPEN = 50  # tags that do not end; after so many, a page is no MDX


def without_mdx(text: str) -> str:
    """Markdown that says the same, with HTML's own tags left in. Code stays as it is."""
    kept: list[str] = []
    end = still_open = 0
    while still_open < MOST_OPEN and (match := TOKEN.search(text, end)):
        kept.append(without_imports(text[end : match.start()]))
        end = match.end()
        if match["tag"]:
            shown, end = tag_at(text, match)
            kept.append(shown)
            still_open += end == match.end() and not shown.endswith(">")
        elif not match["comment"]:
            kept.append(match[0])
    return "".join([*kept, without_imports(text[end:])])


def without_imports(text: str) -> str:
    """Without the lines that load or make components, up to the next blank line."""
    return IMPORTS.sub(lambda match: "" if MODULE_LIKE.match(match[0]) else match[0], text)


def tag_at(text: str, match: re.Match[str]) -> tuple[str, int]:
    """What is kept of the tag that begins there, and where it ends."""
    end = end_of_tag(text, match.end())
    name = match["tag"].lstrip("</")
    if end is None:
        return match[0], match.end()
    if name and name[0].islower() and "." not in name:
        return without_expressions(text[match.start() : end]), end
    alt = ALT.search(text, match.start(), end)
    return (alt[1] or alt[2] or "") if alt else "", end


def end_of_tag(text: str, start: int) -> int | None:
    """Where a tag ends that may hold quoted texts and {expressions}; None where it does not."""
    depth, quote = 0, ""
    for at in range(start, min(len(text), start + LONGEST_TAG)):
        character = text[at]
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'`" and (depth or text[at - 1] in "={("):
            quote = character
        elif character in "{}":
            depth = max(0, depth + (1 if character == "{" else -1))
        elif character == ">" and not depth:
            return at + 1
    return None


def without_expressions(tag: str) -> str:
    """An HTML tag without attributes that are expressions, and with HTML's name for classes."""
    plain, depth = [], 0
    for part in re.split(r"(\s+[\w:-]+=\{|\{|\})", tag):
        opens = part.endswith("{")
        if not depth and not opens and part != "}":
            plain.append(part)
        depth = max(0, depth + (1 if opens else -1 if part == "}" else 0))
    return "".join(plain).replace("className=", "class=")
