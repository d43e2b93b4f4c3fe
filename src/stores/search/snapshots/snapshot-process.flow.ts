import { setPriority } from 'node:os';
import { openDb, openPool } from '../../../db/connect.ts';
import { systemClock } from '../../../lib/clock.ts';
import { writeSnapshot } from './write-snapshot.flow.ts';

/** A snapshot to write. The message, and not the environment, has the address of the database: it holds a password. */
export type SnapshotOrder = { connectionString: string; schema: string; file: string; format: string };
export type SnapshotOutcome = { seq: number; stores: number } | { fault: string };

/** The lowest priority: requests of the node come first. */
const LOWEST = 19;

/** A process of its own writes a snapshot: reading all stores would hold the event loop of the node for half a minute. */
process.once('message', (order: SnapshotOrder) => {
  setPriority(LOWEST);
  write(order)
    .catch((error): SnapshotOutcome => ({ fault: error instanceof Error ? error.message : String(error) }))
    .then((outcome) => process.send?.(outcome, () => process.exit(0)));
});
process.once('disconnect', () => process.exit(0));

async function write({ connectionString, schema, ...target }: SnapshotOrder): Promise<SnapshotOutcome> {
  const pool = openPool({ connectionString, schema, max: 1, applicationName: 'doorstep-search-snapshot' });
  const db = openDb(pool);
  try {
    return await writeSnapshot(db, { ...target, at: systemClock.now() });
  } finally {
    await db.destroy();
  }
}
