import { mailFrame } from '../../src/app/adapters/mail-frame.ts';
import { createTestDatabase, SCHEMA } from '../test-database.ts';
import { createWorld } from './base-world.ts';
import type { Simulator } from './simulate.ts';
import { openSimulatedDatabase } from './simulated-database.ts';

/**
 * Shared by all runs of this process: a database of its own, because other sessions would change when PostgreSQL reuses
 * the space of deleted rows.
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
