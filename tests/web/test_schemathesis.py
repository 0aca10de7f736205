"""An outside program, schemathesis, reads the OpenAPI document, sends what it allows and what it forbids, and compares.

It reports a status, a media type, a header or a key that the document does not have, a rejected request that the
document allows, and an accepted one that it forbids. Boards are texts with a grammar, which no schema describes, so
"allowed" leaves out the positions of boards.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mineproof.web.openapi import document
from mineproof.web.routes import ROUTES
from support.served import Client, serving

pytestmark = pytest.mark.slow

# Work of seconds, which other tests send: it is sent as events, or searches for a board.
LONG = "simulate|events|puzzle"
SETTINGS = """
[checks]
positive_data_acceptance.enabled = false
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "501", "503"]

[[operations]]
include-path-regex = "generate|/best|variant-games$"
phases.coverage.enabled = false

[[operations]]
include-path-regex = "/games/.id./(review|result|timeline|lesson|record|from)"
parameters = {{ "path.id" = "{finished}" }}

[[operations]]
include-path-regex = "/api/v1/games/.id.(/(moves|hint|odds|best|pause|resume))?$"
parameters = {{ "path.id" = "{running}" }}

[[operations]]
include-path-regex = "/variant-games/"
parameters = {{ "path.id" = "{variant}" }}

[[operations]]
include-path-regex = "/history/.number./"
parameters = {{ "path.number" = "1" }}
"""


def run(port: int, config: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run schemathesis on an OpenAPI document, a path or an address."""
    return subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run", source),
            *("--url", f"http://127.0.0.1:{port}", "--seed", "1", "--generation-deterministic"),
            *("--continue-on-failure", "--suppress-health-check", "all", "--request-timeout", "60", *options),
        ],
        check=False,
        capture_output=True,
        text=True,
        cwd=config.parent,
    )


def games(client: Client) -> dict[str, str]:
    """A game that runs, one that is over, and one of a variant."""
    size = {"rows": 4, "columns": 4, "mines": 3}
    over = client.post("games", {"rows": 3, "columns": 3, "mines": 0}).json["id"]
    client.post(f"games/{over}/moves", {"kind": "open", "cell": [0, 0]})
    begun = {"running": client.post("games", size), "variant": client.post("variant-games", size | {"rules": "liar"})}
    return {"finished": over} | {name: answer.json["id"] for name, answer in begun.items()}


def test_the_server_does_what_its_document_says(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as (client, _):
        config = tmp_path / "schemathesis.toml"
        config.write_text(SETTINGS.format(**games(client)), "utf-8")
        address = f"http://127.0.0.1:{client.port}/api/v1/openapi.json"
        limits = ("--phases", "coverage,fuzzing", "--max-examples", "2", "--exclude-path-regex", LONG)
        done = run(client.port, config, address, *limits)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Failures:" not in done.stdout


def test_a_document_that_lies_is_seen(tmp_path: Path) -> None:
    api = document([route for route in ROUTES if route.path == "/api/v1/strategies"])
    api["components"]["schemas"]["StrategiesJson"]["required"].append("more")
    (tmp_path / "openapi.json").write_text(json.dumps(api), "utf-8")
    config = tmp_path / "schemathesis.toml"
    config.write_text("", "utf-8")
    with serving(tmp_path / "data") as (client, _):
        done = run(client.port, config, str(tmp_path / "openapi.json"), "--phases", "fuzzing", "--max-examples", "1")
    assert done.returncode == 1
    assert "'more' is a required property" in done.stdout or '"more" is a required property' in done.stdout
