#!/bin/sh
# Builds the kernel and kernel_tests with each compiler and for each system, warnings being errors; a line for each.
# What can be run here is run. Called by `make portability`, which has installed cmake, ninja and ziglang.
set -u
export PATH="$PWD/$BIN:$PATH"
unset CMAKE_TOOLCHAIN_FILE CXX CC
mkdir -p build/portable
failed=0

# try NAME RUN OPTIONS…: RUN is the name of tests to run, or nothing for programs of another system.
try() {
    name=$1 run=$2 folder=build/portable/$1
    shift 2
    if { cmake -S . -B "$folder" -G Ninja -D MINEPROOF_BINDINGS=OFF -D MINEPROOF_TESTS=ON -D MINEPROOF_WERROR=ON \
            --log-level=WARNING "$@" && cmake --build "$folder" &&
            { [ -z "$run" ] || "$folder/kernel_tests"; }; } > "$folder.log" 2>&1; then
        echo "$name: ok${run:+, $(tail -n 1 "$folder.log")}"
    else
        echo "$name: FAILED"
        grep -m 20 -E 'error|FAILED|warning' "$folder.log" || tail -n 20 "$folder.log"
        failed=1
    fi
}

if command -v g++ > /dev/null; then
    # As `make venv` compiles it, so that the library's objects are there already.
    try gcc run -D CMAKE_CXX_COMPILER=g++ -D CMAKE_BUILD_TYPE=Release \
        -D "CMAKE_CXX_COMPILER_LAUNCHER=$PWD/$BIN/ccache"
else
    echo "gcc: not here (Debian and Ubuntu: apt install g++)"
    failed=1
fi

if ! command -v clang++ > /dev/null && command -v apt-get > /dev/null && [ "$(id -u)" = 0 ]; then
    echo "installing clang"
    apt-get install -y clang > build/portable/apt.log 2>&1 ||
        { apt-get update && apt-get install -y clang; } >> build/portable/apt.log 2>&1
fi
if command -v clang++ > /dev/null; then
    # The Python module as well, where this Python has its headers.
    try clang run -D CMAKE_CXX_COMPILER=clang++ -D CMAKE_BUILD_TYPE=Release \
        -D MINEPROOF_BINDINGS=ON -D MINEPROOF_REQUIRE_KERNEL=ON \
        -D "nanobind_DIR=$(python -m nanobind --cmake_dir)" -D "Python_EXECUTABLE=$PWD/$BIN/python"
else
    echo "clang: not here, and it may not be installed by this user (Debian and Ubuntu: apt install clang)"
    failed=1
fi

# What cannot be run here is not optimized, and what can is not optimized much: that halves the time.
for target in x86_64-windows-gnu aarch64-macos x86_64-macos x86_64-linux-musl; do
    python tools/zig_toolchain.py "$target" "build/portable/zig-$target" || exit 1
    run='' flags='-O0 -fno-sanitize=all'
    if [ "$target" = "$(uname -m)-linux-musl" ] && [ "$(uname -s)" = Linux ]; then
        run=run flags='-O1'
    fi
    try "$target" "$run" -D "CMAKE_TOOLCHAIN_FILE=$PWD/build/portable/zig-$target/toolchain.cmake" \
        -D CMAKE_BUILD_TYPE=Release -D "CMAKE_CXX_FLAGS_RELEASE=$flags"
done
exit $failed
