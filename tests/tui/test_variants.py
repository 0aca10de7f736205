"""Games of variants on the terminal: moves by keys and mouse, clues, odds, and the file of the game."""

from __future__ import annotations

import asyncio
from pathlib import Path

import mineproof as mp
from mineproof.cli.variant_games import load_game
from mineproof.tui.variant_app import VariantTerminalGame
from support.texts import text


def test_a_game_by_keys_and_mouse(tmp_path: Path) -> None:
    layout = mp.VariantLayout.of(3, 4, [(0, 0), (2, 2)], mp.Variant.parse("wall"))
    path = tmp_path / "variant.json"

    async def script() -> None:
        app = VariantTerminalGame(mp.VariantGame(layout, first_click="any"), lambda: mp.VariantGame(layout), path)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("left", "space")  # at (1, 1)
            assert "[1+1]" in app.text
            await pilot.press("up", "left", "f")
            assert "[F]" in app.text
            saved = load_game(path)
            assert saved is not None
            assert saved.flags == {(0, 0): 1}
            await pilot.press("right", "right", "right", "space")
            assert app.text.splitlines()[0].split()[-1] == "[·]", "a clue without runs is a dot"
            await pilot.press("o")
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert app.text.split().count("M") >= 1
            assert "layouts fit" in app._message.text
            await pilot.press("o")
            seen = []
            for _ in range(4):
                await pilot.press("h")
                await app.workers.wait_for_complete()
                await pilot.pause()
                seen.append(app._message.text)
            assert [line.split(":")[0] for line in seen] == [f"Hint {level} of 4" for level in range(1, 5)]
            assert app.text.count("S") + app.text.count("M") >= 1, "the cells of the hint are lit"
            assert "B3 is safe" in seen[3]
            await pilot.press("b")
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert app._message.text.startswith("A3 is safe.")
            await pilot.press("n")
            assert app._message.text == text("tui-variant-confirm-new")
            await pilot.click(app._grid, offset=(2 * app.cell_width + 1, 2))
            assert (app.game.status, app.cursor) == ("lost", (2, 2))
            await pilot.press("u")
            assert app.game.status == "running"
            await pilot.press("q")

    asyncio.run(script())
