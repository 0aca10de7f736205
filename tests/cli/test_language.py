"""Results of commands in the language of the reader: --language, the catalogue, and one golden file per language."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import mineproof
from mineproof.wording import catalogue
from support.command import mineproof as run

ROOM = Path(mineproof.__file__).parent
GOLDEN = Path(__file__).parents[1] / "golden" / "sentences"
SECTION = re.compile(r"# ---- results of commands ----\n(.*)# ---- end of results of commands ----", re.DOTALL)
KEYS_IN_CODE = re.compile(r"[\"'](cli-[a-z0-9-]+)[\"']")
KEYS_IN_FILE = re.compile(r'^msgid "(.+)"$', re.MULTILINE)


def section_keys(language: str) -> list[str]:
    section = SECTION.search((ROOM / "wording" / f"{language}.po").read_text("utf-8"))
    assert section is not None
    return KEYS_IN_FILE.findall(section[1])


def used_keys() -> set[str]:
    return {key for path in (ROOM / "cli").glob("*.py") for key in KEYS_IN_CODE.findall(path.read_text("utf-8"))}


@pytest.mark.parametrize("language", catalogue.languages())
def test_every_message_of_commands_exists_and_is_used(language: str) -> None:
    keys = section_keys(language)
    assert len(keys) == len(set(keys))
    assert set(keys) == used_keys()


def test_the_language_of_one_call() -> None:
    german = run("--language", "de", "check", "*../.../...", "--start", "2,2")
    assert german.lines == ["Raten ist nicht nötig: Ab (2,2) lassen sich alle 8 sicheren Felder herleiten."]
    english = run("check", "*../.../...", "--start", "2,2")
    assert english.lines == ["No guess is needed: from (2,2) all 8 safe cells can be deduced."]
    assert run("check", "*../.../...", "--start", "2,2", MINEPROOF_LANGUAGE="de").text == german.text
    assert (
        run("--language", "en", "check", "*../.../...", "--start", "2,2", MINEPROOF_LANGUAGE="de").text == english.text
    )
    assert run("check", "*../.../...", "--start", "2,2", MINEPROOF_LANGUAGE="").text == english.text
    assert catalogue.language() == "en"


def test_an_unknown_language_is_bad_usage() -> None:
    for done in (run("--language", "xx", "analyze", "1#"), run("analyze", "1#", MINEPROOF_LANGUAGE="xx")):
        assert (done.status, done.out) == (2, b"")
        assert "--language must be one of en, de, got 'xx'" in done.err


def test_machine_output_is_the_same_in_every_language() -> None:
    arguments = [
        ["analyze", "1#/##", "--mines", "1", "--json"],
        ["stats", "*../...", "--csv"],
        ["check", "*../...", "--start", "1,2", "--json"],
        ["generate", "4x4x3", "--seed", "1"],
        ["layouts", "#2#/###"],
        ["convert", "1#/##", "--to", "json"],
    ]
    for command in arguments:
        german, english = run("--language", "de", *command).text, run(*command).text
        if "--json" in command:  # sentences follow the language, everything else stays
            german, english = (re.sub(r'"text": "[^"]*"', '"text": ""', text) for text in (german, english))
        assert german == english, command


def test_help_and_errors_stay_english() -> None:
    assert run("--language", "de", "analyze", "--help").text == run("analyze", "--help").text
    assert run("--language", "de", "simulate", "--games", "0").err == run("simulate", "--games", "0").err


# whole sentences


@pytest.mark.slow
def test_golden_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set MINEPROOF_UPDATE_GOLDEN=1 to write the files after an edit of a sentence."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "UTC")
    (tmp_path / "game.json").write_text(run("generate", "4x4x3", "--seed", "1", "--to", "json").text)
    for language in catalogue.languages():
        text = "\n".join(_transcript(language, arguments) for arguments in COMMANDS)
        path = GOLDEN / language / "commands.txt"
        if os.environ.get("MINEPROOF_UPDATE_GOLDEN"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        assert text == path.read_text("utf-8")


# Commands whose text is their own: no sentences of deductions, hints, best moves, reviews and pictures.
COMMANDS = [
    ["simulate", "4x4x3", "--games", "2000", "--seed", "1"],
    ["simulate", "4x4x3", "--games", "200", "--strategy", "strong", "--against", "fast", "--start", "random",
     "--first-click", "any"],
    ["simulate", "4x4x3", "--games", "1", "--seed", "1"],
    ["simulate", "4x4x3", "--games", "100", "--weighted", "--strategy", "strong", "--against", "fast"],
    ["sweep", "4x4x3", "5x5x4", "--games", "128", "--strategy", "fast,strong"],
    ["stats", "*../.../...", "*../..*/...", "--each"],
    ["check", "*../.../...", "--start", "2,2"],
    ["best", "--exact", "4x3x2"],
    ["best", "--exact", "2x2x4", "--first-click", "any"],
    ["best", "--exact", "2x2x1", "--first-click", "open"],
    ["solve", "01#/12#/###", "--show", "bounds"],
    ["solve", "01#/12#/###", "--show", "matrix"],
    ["solve", "11", "--show", "matrix"],
    ["history", "--data", "history.db"],
    ["history", "best", "--data", "history.db"],
    ["history", "forget", "--all", "--yes", "--data", "history.db"],
    ["history", "fill", "--data", "history.db"],
    ["layouts", "1#/##", "--count"],
    ["convert", "--list"],
]  # fmt: skip


def _transcript(language: str, arguments: list[str]) -> str:
    """A command with its output; times differ from machine to machine and are left out."""
    done = run("--language", language, *arguments)
    lines = [line.rstrip() for line in done.lines if "CPU" not in line]
    return "\n".join([f"$ mineproof {' '.join(arguments)}", *lines, ""])
