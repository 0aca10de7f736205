"""What runs elsewhere is looked at here: the workflows of hosted CI, and the settings wheels are made by."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from support.installing import LARGE_EXTRAS, promised_versions

TARGET = re.compile(r"^([a-z-]+):", re.MULTILINE)
MAKE = re.compile(r"^\s*make\s+(.+)$", re.MULTILINE)
PINNED = re.compile(r"[\w.-]+/[\w./-]+@v\d+|\./\.github/workflows/[\w-]+\.yml")


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def workflows(root: Path) -> dict[str, Any]:
    folder = root / ".github/workflows"
    if not folder.is_dir():
        pytest.skip("an unpacked sdist has no workflows")
    return {path.name: yaml.safe_load(path.read_text("utf-8")) for path in sorted(folder.glob("*.yml"))}


def faults(workflow: dict[Any, Any], targets: set[str]) -> list[str]:
    """One line for each thing in a workflow that cannot work."""
    results = [f"no {key}" for key in ("name", "permissions", "jobs") if key not in workflow]
    if not {"on", True} & set(workflow):  # YAML 1.1 reads a bare `on` as true
        results.append("no on")
    jobs = workflow.get("jobs", {})
    for name, job in jobs.items():
        needs = job.get("needs", [])
        results += [
            f"{name}: needs {need}" for need in ([needs] if isinstance(needs, str) else needs) if need not in jobs
        ]
        if "uses" not in job and not {"runs-on", "steps", "timeout-minutes"} <= set(job):
            results.append(f"{name}: runs-on, steps or timeout-minutes is missing")
        steps = [job, *job.get("steps", [])]
        results += [
            f"{name}: uses {step['uses']}"
            for step in steps
            if not PINNED.fullmatch(step.get("uses", "./.github/workflows/x.yml"))
        ]
        named = [word for step in steps for line in MAKE.findall(step.get("run", "")) for word in line.split()]
        results += [f"{name}: make {word}" for word in named if "=" not in word and word not in targets]
        matrix = job.get("strategy", {}).get("matrix", {})
        text = yaml.safe_dump(job)
        results += [f"{name}: matrix.{key}" for key in re.findall(r"matrix\.(\w+)", text) if key not in matrix]
    return results


def test_workflows_can_work(workflows: dict[str, Any], root: Path) -> None:
    targets = set(TARGET.findall((root / "Makefile").read_text("utf-8")))
    assert {name: faults(workflow, targets) for name, workflow in workflows.items()} == {
        "nightly.yml": [],
        "site.yml": [],
        "test.yml": [],
        "wheels.yml": [],
    }


def test_every_promised_version_is_tested_on_every_system(workflows: dict[str, Any], project: dict[str, Any]) -> None:
    promised = promised_versions()
    assert promised[0] == project["project"]["requires-python"].removeprefix(">=")
    tested = {
        (system.split("-")[0], version)
        for job in workflows["test.yml"]["jobs"].values()
        if "strategy" in job
        for system in job["strategy"]["matrix"].get("os", [job["runs-on"]])
        for version in job["strategy"]["matrix"]["python"]
    }
    assert tested == {(system, version) for system in ("ubuntu", "macos", "windows") for version in promised}


def test_locked_versions_are_within_the_bounds(project: dict[str, Any], root: Path) -> None:
    lines = (root / "constraints/dev.txt").read_text("utf-8").splitlines()
    locked = {Requirement(line).name.lower(): line.partition("==")[2] for line in lines if not line.startswith("#")}
    extras = project["project"]["optional-dependencies"]
    promised = [
        *project["project"]["dependencies"],
        *(extra for name in extras.keys() - {"all", *LARGE_EXTRAS} for extra in extras[name]),
    ]
    outside = [
        extra for extra in promised if locked[(parsed := Requirement(extra)).name.lower()] not in parsed.specifier
    ]
    assert outside == []


def test_uvicorn_is_limited_to_versions_that_were_tested(project: dict[str, Any], root: Path) -> None:
    """web/server.py builds on names inside uvicorn's protocol class, which any release may change."""
    [uvicorn] = [
        parsed
        for item in project["project"]["optional-dependencies"]["web"]
        if (parsed := Requirement(item)).name == "uvicorn"
    ]
    [tested] = re.findall(r"^uvicorn==0\.(\d+)", (root / "constraints/dev.txt").read_text("utf-8"), re.MULTILINE)
    assert f"0.{tested}.99" in uvicorn.specifier
    assert f"0.{int(tested) + 1}" not in uvicorn.specifier


@pytest.mark.parametrize("system", ["linux", "macos", "windows"])
def test_wheels_are_made_for_each_system(system: str, root: Path) -> None:
    command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", system, str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = {line.split("-")[0] for line in done.stdout.split()}
    assert made == {"cp311", "cp312"}, done.stdout


def test_one_wheel_serves_the_later_versions(project: dict[str, Any]) -> None:
    assert project["tool"]["scikit-build"]["wheel"]["py-api"] == "cp312"


def test_a_fault_is_seen() -> None:
    workflow = yaml.safe_load(
        """
        name: x
        on: push
        permissions: {}
        jobs:
          one: {runs-on: here, needs: two, timeout-minutes: 1, steps: [{run: make gold}, {uses: a/b@main}]}
          three: {steps: [{run: "echo ${{ matrix.os }}"}]}
        """
    )
    assert faults(workflow, {"test"}) == [
        "one: needs two",
        "one: uses a/b@main",
        "one: make gold",
        "three: runs-on, steps or timeout-minutes is missing",
        "three: matrix.os",
    ]


@pytest.mark.parametrize(("target", "extra"), [("play", "tui"), ("start", "web")])
def test_make_installs_the_extra(project: dict[str, Any], target: str, extra: str) -> None:
    groups, value = project["dependency-groups"], project["project"]["optional-dependencies"][extra]
    assert groups[target] == value
    assert {"include-group": target} in groups["dev"], "what the tests need"


def test_make_extras_installs_all_others(project: dict[str, Any]) -> None:
    groups, extras = project["dependency-groups"], project["project"]["optional-dependencies"]
    others = [extra for name in extras if name not in ("all", "tui", "web", *LARGE_EXTRAS) for extra in extras[name]]
    assert sorted(groups["extras"]) == sorted([*others, "pandas>=2.2"])
    assert {"include-group": "extras"} in groups["dev"], "what the tests need"
    named = extras["all"][0].removeprefix("mineproof[").removesuffix("]").split(",")
    assert named == sorted(set(extras) - {"all", *LARGE_EXTRAS})
