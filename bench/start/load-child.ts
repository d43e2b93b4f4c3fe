import { createFairTurns } from '../../src/lib/fair-turns.ts';
import { beginSnapshot } from '../../src/stores/search/snapshots/begin-snapshot.flow.ts';
import { loadBlocks } from '../../src/stores/search/snapshots/load-snapshot.flow.ts';
import { createStoreSearch } from '../../src/stores/search/store-search.index.ts';
import type { LoadFigures } from '../start.ts';

/** Loads the search index from a snapshot, and sends what that cost. */
const [file = ''] = process.argv.slice(2);
const search = createStoreSearch();
const slice = createFairTurns().sliceOf('bench');
const fromMs = performance.now();
const from = process.cpuUsage();
const snapshot = beginSnapshot(file);
const opened = await snapshot.open();
if (opened === null) throw new Error(`There is no snapshot ${file}.`);
const stores = await loadBlocks({ opened, search, slice, signal: new AbortController().signal });
for (const _step of search.finishLoad());
const { user, system } = process.cpuUsage(from);
const wallS = (performance.now() - fromMs) / 1000;
await snapshot.close();
const { rss, heapUsed } = process.memoryUsage();
const figures: LoadFigures = { stores, cpuS: (user + system) / 1e6, wallS, rssBytes: rss, heapBytes: heapUsed };
process.send?.(figures, () => process.exit(0));
