#!/bin/bash
# OSS-Fuzz and ClusterFuzzLite: builds a fuzzer of each target in fuzz/targets, and writes
# their seeds and dictionaries beside them. Both give SRC, OUT and compile_go_fuzzer.
set -eu
cd "$SRC/octable"
go run ./fuzz/ossfuzz/seeds -list | while read -r target fuzzer; do
  compile_go_fuzzer github.com/octable/octable/fuzz/targets "$target" "$fuzzer"
done
go run ./fuzz/ossfuzz/seeds "$OUT"
