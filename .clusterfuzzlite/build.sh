#!/bin/bash
set -eu
exec "$SRC/octable/fuzz/ossfuzz/build.sh"
