import { mailFrame } from '../../src/app/adapters/mail-frame.ts';
import { createTestDatabase, SCHEMA } from '../test-database.ts';
import { createWorld } from './base-world.ts';
import type { Simulator } from './simulate.ts';
import { openSimulatedDatabase } from './simulated-database.ts';

/**
 * Everything that the runs of this process share: a database of its own, because the sessions of others would change when
 * PostgreSQL reuses the room of deleted rows.
 */
export async function openSimulator(): Promise<Simulator & AsyncDisposable> {
  const { connectionString, drop } = await createTestDatabase('');
  const world = await createWorld(connectionString, SCHEMA);
  const database = await openSimulatedDatabase(connectionString, SCHEMA);
  return {
    world,
    database,
    frame: await mailFrame(),
    async [Symbol.asyncDispose]() {
      await database.close();
      await drop();
    },
  };
}
