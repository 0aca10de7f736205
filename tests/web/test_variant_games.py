"""Games of variants over HTTP: the gallery, moves, odds, and no mine before the end."""

from __future__ import annotations

import pytest

from mineproof.game.variant_gallery import GALLERY, GalleryEntry
from mineproof.variants.clues import CLUE_RULES
from mineproof.variants.mine_rules import BUILT_IN
from support.served import Answer, Client


def move(client: Client, game_id: str, kind: str, *cell: int, **more: object) -> Answer:
    return client.post(
        f"variant-games/{game_id}/moves", {"kind": kind, **({"cell": list(cell)} if cell else {}), **more}
    )


def test_the_gallery_shows_every_rule_in_the_language_of_the_reader(client: Client) -> None:
    shown = client.get("variants").json["variants"]
    names = {name.partition(":")[0] for entry in shown for name in entry["rules"].split(",")}
    assert names == {name.partition(":")[0] for name in CLUE_RULES} - {"classic"} | {*BUILT_IN, "mines"}
    assert all(entry["sentence"].endswith(".") and len(entry["example"]) == 5 for entry in shown)
    german = client.get("variants", Accept_Language="de").json["variants"]
    assert (shown[0]["title"], german[0]["title"]) == ("Liar", "Lügner")


@pytest.mark.parametrize("entry", GALLERY, ids=lambda entry: entry.rules)
def test_a_game_of_every_variant_is_won_by_its_odds_or_lost(client: Client, entry: GalleryEntry) -> None:
    size = {"rows": 5, "columns": 5, "mines": entry.example_mines, "seed": 1}
    begun = client.post("variant-games", {"rules": entry.rules, **size})
    assert begun.status == 201, begun.content
    seen = begun.json
    for _ in range(25):
        assert "mines" not in seen
        if seen["status"] == "new":
            cell = (2, 2)
        else:
            odds = client.get(f"variant-games/{seen['id']}/odds")
            if odds.status == 503:  # too many layouts to judge
                cell = next((r, c) for r in range(5) for c in range(5) if seen["cells"][r][c] == "#")
            else:
                chances = odds.json["mine_probability"]
                choices = [(chances[r][c], (r, c)) for r in range(5) for c in range(5) if chances[r][c] is not None]
                cell = min(choices)[1]
        seen = move(client, seen["id"], "open", *cell).json
        if seen["status"] != "running":
            break
    assert seen["status"] in ("won", "lost")
    assert sum(mine[2] for mine in seen["mines"]) == seen["total_mines"]


def test_moves_are_kept_undone_and_refused(client: Client) -> None:
    game = client.post("variant-games", {"rules": "liar quad", "seed": 3}).json
    assert (game["rows"], game["columns"], game["total_mines"], game["title"]) == (8, 8, 20, "Liar and Quad")
    opened = move(client, game["id"], "open", 4, 4, moves=0).json
    assert opened["outcome"]["exploded"] == []
    assert move(client, game["id"], "flag", 0, 0, moves=0).status == 409
    assert move(client, game["id"], "flag", 0, 0).json["mines_left"] == 19
    assert client.get(f"variant-games/{game['id']}").json["cells"][0][0] == "F"
    assert move(client, game["id"], "undo").json["mines_left"] == 20
    assert client.post(f"variant-games/{game['id']}/again", {}).status == 201
    assert client.get(f"variant-games/{game['id']}").status == 404, "the unfinished game is abandoned"


def test_hints_lead_through_a_game(client: Client) -> None:
    """A game that needs no guess is won by its hints; a mine that is flagged is not hinted at again."""
    game = client.post("variant-games", {"rules": "wall", "rows": 6, "columns": 6, "mines": 5, "seed": 1}).json
    seen = move(client, game["id"], "open", 2, 2).json
    while seen["status"] == "running":
        look = client.get(f"variant-games/{game['id']}/hint?level=1").json
        hint = client.get(f"variant-games/{game['id']}/hint", Mineproof_Cell_Labels="chips").json
        assert (look["safe"], look["kind"], hint["kind"]) == (None, "step", "step")
        assert hint["because"]
        assert "⟦" in hint["text"]
        assert client.get(f"variant-games/{game['id']}/best").json["mine_probability"] == 0
        before = seen["cells"]
        for kind, cells in (("flag", hint["mines"]), ("open", hint["safe"])):
            for row, column in cells:
                if seen["cells"][row][column] == "#":
                    seen = move(client, game["id"], kind, row, column).json
        assert seen["cells"] != before
    assert seen["status"] == "won"


def test_a_game_that_is_over_has_no_help(client: Client) -> None:
    game = client.post("variant-games", {"rules": "liar", "rows": 3, "columns": 3, "mines": 7, "seed": 1}).json
    seen = game
    for place in range(9):
        if seen["status"] in ("won", "lost"):
            break
        seen = move(client, game["id"], "open", *divmod(place, 3)).json
    for part in ("hint", "best", "odds"):
        assert client.get(f"variant-games/{game['id']}/{part}").status == 409


def test_what_cannot_be_played_is_refused_by_name(client: Client) -> None:
    for body, status, part in (
        ({"rules": "lair"}, 400, "got 'lair'"),
        ({"rules": "liar wall"}, 400, "one rule for its clues"),
        ({"rules": "quad mines:2"}, 400, "quad is for one mine in a cell"),
        ({"rules": "liar", "topology": "hex"}, 400, "topology"),
        ({"rules": "liar", "rows": 30, "columns": 30, "mines": 100}, 400, "at most 400 cells"),
        ({"rules": "quad", "rows": 8, "columns": 8, "mines": 2}, 422, "quad"),
    ):
        answer = client.post("variant-games", body)
        assert (answer.status, part in answer.json["message"]) == (status, True), answer.content
    assert client.get("variant-games/nothing").status == 404
    plain = client.post("games", {"rows": 5, "columns": 5, "mines": 5}).json["id"]
    assert client.get(f"variant-games/{plain}").status == 404
