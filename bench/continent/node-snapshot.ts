import { statSync } from 'node:fs';
import { join } from 'node:path';
import { migrationNames } from '../../src/db/migrations.ts';
import { snapshotFormat } from '../../src/stores/search/snapshots/snapshot-format.ts';
import type { SnapshotOrder, SnapshotOutcome } from '../../src/stores/search/snapshots/snapshot-process.flow.ts';
import { snapshotFile } from '../../src/wiring/begin-node-snapshot.ts';
import { type BenchDatabase, startChild } from '../setup.ts';

const SNAPSHOT_PROCESS = '../src/stores/search/snapshots/snapshot-process.flow.ts';

/** Writes the snapshot that a service would write a minute after its start, in the process that the service has for it. */
export async function writeNodeSnapshot(
  { connectionString, schema }: BenchDatabase,
  folder: string,
): Promise<{ settings: { DATA_DIR: string }; seconds: number; bytes: number }> {
  const snapshots = join(folder, 'search');
  const file = snapshotFile(snapshots, schema);
  const format = snapshotFormat((await migrationNames()).at(-1) ?? '');
  const startMs = performance.now();
  const first: SnapshotOrder = { connectionString, schema, file, format };
  const outcome = await startChild<SnapshotOutcome>(SNAPSHOT_PROCESS, [], { first });
  if ('fault' in outcome) throw new Error(outcome.fault);
  const seconds = (performance.now() - startMs) / 1000;
  return { settings: { DATA_DIR: folder }, seconds, bytes: statSync(file).size };
}
