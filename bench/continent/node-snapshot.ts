import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../test/until.ts';
import { type BenchDatabase, startBenchService } from '../setup.ts';

const WITHIN_MS = 300_000;

/** Waits until a service has written its snapshot, some seconds after its start. */
export async function writeNodeSnapshot(database: BenchDatabase, folder: string): Promise<{ DATA_DIR: string }> {
  const settings = { DATA_DIR: folder };
  const snapshots = join(folder, 'search', database.schema);
  const service = await startBenchService(database, settings);
  await until('the snapshot is there', () => existsSync(join(snapshots, 'snapshot.json')), WITHIN_MS);
  await service.close();
  return settings;
}
