import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type BegunSnapshot, beginSnapshot } from '../stores/search/snapshots/begin-snapshot.flow.ts';
import type { Role } from './service-options.ts';

/** The schema of a service, where a test or a bench names no other. */
export const SCHEMA = 'doorstep';

/** One file for each schema, so that two services may share a folder. */
export function snapshotFile(folder: string, schema: string): string {
  return join(folder, `${schema}.snapshot`);
}

type OfNode = { config: Pick<Config, 'searchSnapshotDir'>; role: Role; schema?: string };

/**
 * Begins to read the snapshot of a node, which other threads do while this one loads the modules of the service. Undefined
 * for a node that keeps no snapshot, and for a worker node, which answers no search.
 */
export function beginNodeSnapshot({ config, role, schema = SCHEMA }: OfNode): BegunSnapshot | undefined {
  const folder = config.searchSnapshotDir;
  return folder === null || role === 'worker' ? undefined : beginSnapshot(snapshotFile(folder, schema));
}
