"""The terminal game in the language of the player, and its whole sentences, which golden files pin."""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import OptionList

from mineproof.game import autosave
from mineproof.tui.session import Session
from mineproof.tui.settings import Settings
from mineproof.tui.settings_screen import SettingsScreen
from mineproof.wording.catalogue import languages, load_catalogue, set_default_language
from support.terminal import PAIR, SMALL, Player, play, session_on

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/golden/sentences"


@pytest.fixture
def german() -> Iterator[None]:
    """The language of the whole program, as `--language` sets it; workers see it, too."""
    set_default_language("de")
    yield
    set_default_language("en")


@pytest.mark.usefixtures("german")
def test_a_game_in_german() -> None:
    async def script(player: Player) -> None:
        assert player.status.startswith("Minen 2  Zeit 0:00  :-) bereit")
        assert "Feld C3" in player.status
        shown = [active.binding for active in player.app.screen.active_bindings.values() if active.binding.show]
        footer = [(binding.key_display, binding.description) for binding in shown]
        assert {("?", "Hilfe"), ("Leer", "Öffnen"), ("h", "Tipp"), ("q", "Ende")} <= set(footer)
        await player.do("f", (0, 0))
        assert player.message == "Flagge auf A1."
        await player.do("space", (0, 0))
        assert player.message == "Auf A1 steht eine Flagge. Entferne sie zuerst mit f."
        await player.do("space", (3, 0))
        assert player.message == "17 Felder bei A4 geöffnet."
        await player.press("h")
        assert player.message.startswith("Tipp 1 von 4: ")
        await player.press("s")
        assert isinstance(player.app.screen, SettingsScreen)
        assert "Anfänger: 9 × 9, 10 Minen" in str(player.app.screen.query_one(OptionList).options[0].prompt)
        await player.press("escape")
        await player.do("space", (0, 4))
        assert player.message.startswith("Gewonnen in 0:0")
        assert ",0 s)" in player.message or re.search(r"\(\d+,\d s\)", player.message)

    play(session_on(SMALL), script)


@pytest.mark.usefixtures("german")
def test_a_worker_answers_in_german() -> None:
    async def script(player: Player) -> None:
        await player.do("space", (0, 3))
        await player.do("space", (0, 0))
        assert "Das Risiko war 50,0 %. Raten war nötig" in player.message
        await player.press("r")
        assert player.page.startswith("4 × 2, 1 Mine: verloren nach 0:0")

    play(session_on(PAIR), script)


# whole sentences


class _Script:
    """Moves whose messages the golden file shows, in a session without a terminal."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def run(self, session: Session, *moves: tuple[str, tuple[int, int] | None]) -> None:
        self.lines.append(session.note)
        for kind, cell in moves:
            text = session.play(kind, cell).text  # type: ignore[arg-type]
            text = re.sub(r", [\d.,]+ (?:per second|pro Sekunde)", "", text)  # only there once time has passed
            self.lines.append(re.sub(r"\d+:\d+ \([^)]*\)", "…", text))


def sentences() -> list[str]:
    script = _Script()
    script.run(
        session_on(SMALL), ("undo", None), ("flag", (0, 0)), ("open", (0, 0)), ("question", (0, 0)),
        ("question", (0, 0)), ("undo", None), ("open", (3, 0)), ("open", (3, 0)), ("flag", (3, 0)), ("chord", (1, 3)),
        ("chord", (0, 4)), ("open", (0, 4)), ("open", (1, 4)), ("undo", None), ("open", (0, 0)), ("open", (1, 4)),
    )  # fmt: skip
    rules = Settings(size="expert", fairness="forced", no_guess=True, topology="hex", first_click="open")
    script.run(Session(rules, autosave.default_path(), fresh=True))
    script.run(session_on(PAIR, fairness="forced"), ("open", (0, 3)), ("open", (0, 0)))
    script.run(session_on(PAIR, fairness="strict"), ("open", (0, 0)))
    return script.lines


@pytest.mark.parametrize("language", languages())
def test_the_sentences_of_the_game(language: str) -> None:
    set_default_language(language)
    try:
        lines = [*sentences(), "", *catalogue_texts(language)]
    finally:
        set_default_language("en")
    text, path = "\n".join(lines) + "\n", GOLDEN / language / "terminal.txt"
    if "MINEPROOF_UPDATE_GOLDEN" in os.environ:  # after a change of wording
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


def catalogue_texts(language: str) -> list[str]:
    """Every message of the sections, so that changed wording shows in one file."""
    texts = load_catalogue(language).texts
    keys = sorted(key for key in texts if key.startswith(("tui-", "picture-")))
    return [f"{key}: {' | '.join(texts[key])}".replace("\n", " / ") for key in keys]


# keys


def used_keys() -> tuple[set[str], list[re.Pattern[str]]]:
    """Keys in the source: whole ones, and patterns for those that are put together."""
    whole, patterns = set(), []
    for path in (ROOT / "src/mineproof").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if re.fullmatch(r"(?:tui|picture)-[a-z0-9-]*[a-z0-9]", node.value):
                    whole.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in node.values]
                if parts and re.match(r"(?:tui|picture)\\-", parts[0]):
                    patterns.append(re.compile("".join(parts)))
    return whole, patterns


@pytest.mark.parametrize("language", languages())
def test_every_key_has_a_message_and_every_message_is_used(language: str) -> None:
    whole, patterns = used_keys()
    keys = {key for key in load_catalogue(language).texts if key.startswith(("tui-", "picture-"))}
    assert whole - keys == set()
    unused = {key for key in keys - whole if not any(pattern.fullmatch(key) for pattern in patterns)}
    assert unused == set()
    assert all(any(map(pattern.fullmatch, keys)) for pattern in patterns)


def test_fields_are_the_same_in_every_language() -> None:
    english = load_catalogue("en").texts
    for language in languages():
        for key, texts in load_catalogue(language).texts.items():
            if key.startswith(("tui-", "picture-")):
                fields = [set(re.findall(r"\{(\w+)\}", text)) for text in (*texts, *english[key])]
                assert set.union(*fields) == set(re.findall(r"\{(\w+)\}", "".join(english[key]))), (language, key)
