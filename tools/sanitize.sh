#!/usr/bin/env bash
# Builds the extension with AddressSanitizer and UndefinedBehaviorSanitizer, in a copy of the tree, and runs the tests of
# the engine, and those with damaged language data, on it. Usage: tools/sanitize.sh [PYTHON] [pytest arguments, e.g. --stress]
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git ls-files -z --cached --others --exclude-standard | tar -cf - --null -T - | tar -xf - -C "$work"
cd "$work"
flags="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g -O1"
CFLAGS=$flags CXXFLAGS=$flags LDFLAGS="-fsanitize=address,undefined" "$python" setup.py -q build_ext --inplace
# the interpreter itself was built without them and never frees some of its memory
export LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)"
export ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=$work
"$python" -c "import meteorlib, sys; assert meteorlib.__file__.startswith('$work'), meteorlib.__file__"
# a limit of memory is none where the sanitizer has reserved terabytes
"$python" -m pytest -q -n auto --thorough -p no:cacheprovider tests/engine tests/text/test_reading.py \
  tests/resources/test_damage.py tests/resources/store/test_index.py \
  --deselect tests/engine/kernel/test_limits.py::test_short_of_memory "${@:2}"
