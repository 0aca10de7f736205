"""What must not be in the repository."""

import re
from pathlib import Path

import pytest

# Versions are locked, addresses are not: where packages come from is the machine's business.
ADDRESS = re.compile(
    r"index[-_]url|find[-_]links|registry\s*=|@\s*https?://|\"resolved\":\s*\"http"
    r"|(?:pypi|pythonhosted|npmjs|debian)[.](?:org|com)"
)


def addresses(text: str) -> list[str]:
    return [match[0] for match in ADDRESS.finditer(text)]


@pytest.mark.slow
def test_no_address_of_a_registry(project_files: list[Path], root: Path) -> None:
    found = [
        f"{path.relative_to(root)}: {address}"
        for path in project_files
        for address in addresses(path.read_text("utf-8", errors="ignore"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "line", ["--index" + "-url x", "numpy @" + " https://example.org/x", "registry" + " = x", "pypi" + ".org/simple"]
)
def test_an_address_is_seen(line: str) -> None:
    assert addresses(line)


def test_versions_are_locked(root: Path) -> None:
    lines = (root / "constraints/dev.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"#.*|[\w.-]+==[\w.]+", line)] == []
