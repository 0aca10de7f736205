"""Colours are declared once: copies in style sheets and scripts are generated, and nothing else has colours."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/mineproof"


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("colours_tool", ROOT / "tools/colours.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = load_tool()
BLOCKS: list[tuple[Path, str]] = list(TOOL.blocks())


@pytest.mark.parametrize(("path", "block"), BLOCKS, ids=[str(path.relative_to(SOURCE)) for path, _ in BLOCKS])
def test_generated_colours_are_current(path: Path, block: str) -> None:
    text = path.read_text("utf-8")
    assert text == TOOL.with_block(text, block), "run: python tools/colours.py"


def test_a_changed_colour_is_noticed() -> None:
    path, block = BLOCKS[0]
    text = path.read_text("utf-8").replace("#f3f5f8", "#f3f5f9")
    assert text != TOOL.with_block(text, block)


@pytest.mark.parametrize("suffix", ["py", "css", "js"])
def test_no_colour_is_declared_elsewhere(suffix: str) -> None:
    generated = dict(BLOCKS)
    elsewhere = []
    for path in SOURCE.rglob(f"*.{suffix}"):
        text = path.read_text("utf-8")
        if path in generated:
            text = TOOL.with_block(text, "")
        if path != SOURCE / "base/colours.py":
            elsewhere += [
                f"{path.relative_to(SOURCE)}: {colour}" for colour in re.findall(r"[\"' ](#[0-9a-f]{6})\b(?!/)", text)
            ]
    assert elsewhere == []
