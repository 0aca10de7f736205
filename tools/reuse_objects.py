"""Compiles, unless the very same has been compiled before: CMake's compiler launcher for builds that come twice.

    CMAKE_CXX_COMPILER_LAUNCHER="python;tools/reuse_objects.py" MINEPROOF_OBJECTS=FOLDER cmake …

`make venv` builds the kernel, and the tests of the packages build it again from the sdist, in a folder of its own. Each
source is still preprocessed, so all that it includes must be there; only an object whose preprocessed text, options and
compiler are those of an earlier one is copied instead of made. Warnings count as errors or not without a difference to
the object, so an object that was made is one that was compiled without a warning where that mattered first.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES_A_FILE = {"-o", "-MF", "-MT", "-MQ", "-I", "-isystem", "-isysroot"}  # the next argument is a path
SAYS_WHERE = ("-I", "-isystem", "-Werror", "-fmacro-prefix-map")


def main(compiler: str, arguments: list[str]) -> int:
    command = [compiler, *arguments]
    store = os.environ.get("MINEPROOF_OBJECTS")
    if not store or "-c" not in arguments or "-o" not in arguments:
        return subprocess.call(command)
    output = Path(arguments[arguments.index("-o") + 1])

    # With the options for the list of headers left in, that list is written now.
    preprocess = [each for each in arguments if each != "-c"]
    at = preprocess.index("-o")
    del preprocess[at : at + 2]
    done = subprocess.run(
        [compiler, *preprocess, "-E", "-P"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    if done.returncode != 0:
        return subprocess.call(command)  # which says what is wrong

    found = Path(store) / f"{key(compiler, arguments, done.stdout)}.o"
    if found.exists():
        found.touch()
        shutil.copyfile(found, output)
        return 0
    status = subprocess.call(command)
    if status == 0:
        found.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=found.parent, delete=False) as copy, output.open("rb") as made:
            shutil.copyfileobj(made, copy)
        Path(copy.name).replace(found)
    return status


def key(compiler: str, arguments: list[str], text: bytes) -> str:
    version = subprocess.run([compiler, "--version"], capture_output=True, check=False).stdout
    said, skip = [], False
    for argument in arguments:
        if (
            not skip
            and argument not in NAMES_A_FILE
            and not argument.startswith(SAYS_WHERE)
            and not is_source(argument)
        ):
            said.append(argument)
        skip = argument in NAMES_A_FILE
    return hashlib.sha256(b"\0".join([version, "\0".join(said).encode(), text])).hexdigest()


def is_source(argument: str) -> bool:
    return not argument.startswith("-") and argument.endswith((".cpp", ".c", ".cc"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
