"""Compiler launcher for CMake: copy the object of an earlier, identical compilation instead of compiling again.

    CMAKE_CXX_COMPILER_LAUNCHER="python;tools/reuse_objects.py" MINEPROOF_OBJECTS=FOLDER cmake …

`make venv` builds the kernel. The tests of the packages build it again from the sdist, in another folder. Each source
is still preprocessed, so its headers must exist. An object is reused if its preprocessed text, options and compiler are
equal. ``-Werror`` is not part of the comparison because it does not change the object.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PATH_OPTIONS = {"-o", "-MF", "-MT", "-MQ", "-I", "-isystem", "-isysroot"}  # the next argument is a path
IGNORED_PREFIXES = ("-I", "-isystem", "-Werror", "-fmacro-prefix-map")


def main(compiler: str, arguments: list[str]) -> int:
    command = [compiler, *arguments]
    store = os.environ.get("MINEPROOF_OBJECTS")
    if not store or "-c" not in arguments or "-o" not in arguments:
        return subprocess.call(command)
    output = Path(arguments[arguments.index("-o") + 1])

    # This run also writes the list of headers, because its options are kept.
    preprocess = [argument for argument in arguments if argument != "-c"]
    position = preprocess.index("-o")
    del preprocess[position : position + 2]
    preprocessed = subprocess.run(
        [compiler, *preprocess, "-E", "-P"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    if preprocessed.returncode != 0:
        return subprocess.call(command)  # to print the errors

    stored = Path(store) / f"{object_key(compiler, arguments, preprocessed.stdout)}.o"
    if stored.exists():
        stored.touch()
        shutil.copyfile(stored, output)
        return 0
    status = subprocess.call(command)
    if status == 0:
        stored.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=stored.parent, delete=False) as copy, output.open("rb") as compiled:
            shutil.copyfileobj(compiled, copy)
        Path(copy.name).replace(stored)
    return status


def object_key(compiler: str, arguments: list[str], preprocessed: bytes) -> str:
    version = subprocess.run([compiler, "--version"], capture_output=True, check=False).stdout
    relevant, skip = [], False
    for argument in arguments:
        if (
            not skip
            and argument not in PATH_OPTIONS
            and not argument.startswith(IGNORED_PREFIXES)
            and not is_source(argument)
        ):
            relevant.append(argument)
        skip = argument in PATH_OPTIONS
    return hashlib.sha256(b"\0".join([version, "\0".join(relevant).encode(), preprocessed])).hexdigest()


def is_source(argument: str) -> bool:
    return not argument.startswith("-") and argument.endswith((".cpp", ".c", ".cc"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
