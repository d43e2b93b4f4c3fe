#!/bin/sh
# Runs the tests of the index in src/stores/search against the engine: copies whose imports are changed, then removed.
set -e
cd "$(dirname "$0")/../.."
files=""
for name in ${*:-store.index search-names search-rewrites sandbox-places search-delivers search-coordinates search-open page-starts write-page}; do
  copy="src/stores/search/engine-copy-$name.test.ts"
  sed "s#'./store.index.ts'#'../../search/stores/engine-index.ts'#; s#type StoreIndex }#type EngineIndex as StoreIndex }#; s#createStoreIndex, type StoreIndex#createStoreIndex, type EngineIndex as StoreIndex#" \
    "src/stores/search/$name.test.ts" > "$copy"
  files="$files $copy"
done
trap 'rm -f $files' EXIT
npm test -- $files
