import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../test/until.ts';
import { type BenchDatabase, startBenchService } from '../setup.ts';

const WITHIN_MS = 300_000;

/** Waits until a service has written its snapshot, some seconds after its start; `seconds` counts from this call. */
export async function writeNodeSnapshot(
  database: BenchDatabase,
  folder: string,
): Promise<{ settings: { DATA_DIR: string }; seconds: number; bytes: number }> {
  const settings = { DATA_DIR: folder };
  const snapshots = join(folder, 'search', database.schema);
  const service = await startBenchService(database, settings);
  const startMs = performance.now();
  await until('the snapshot is there', () => existsSync(join(snapshots, 'snapshot.json')), WITHIN_MS);
  const seconds = (performance.now() - startMs) / 1000;
  await service.close();
  const files = readdirSync(snapshots, { recursive: true, encoding: 'utf8' });
  const bytes = files.reduce((sum, file) => sum + statSync(join(snapshots, file)).size, 0);
  return { settings, seconds, bytes };
}
