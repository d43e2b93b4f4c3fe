import pg from 'pg';
import { dropDatabase } from '../drop-database.ts';
import { createWorld } from './base-world.ts';
import type { Simulator } from './simulate.ts';
import { openSimulatedDatabase } from './simulated-database.ts';
import { readFrame } from './simulated-node.ts';

const SCHEMA = 'doorstep';

/**
 * Everything that the runs of this process share, on a server: a database of its own, because the sessions of others
 * would change when PostgreSQL reuses the room of deleted rows.
 */
export async function openSimulator(connectionString: string): Promise<Simulator & AsyncDisposable> {
  const name = `simulation_${process.pid}`;
  const admin = async (work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await work(client);
    await client.end();
  };
  await admin((client) => dropDatabase(client, name));
  await admin((client) => client.query(`create database ${name}`));
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  const world = await createWorld(url.href, SCHEMA);
  const database = await openSimulatedDatabase(url.href, SCHEMA);
  return {
    world,
    database,
    frame: await readFrame(),
    async [Symbol.asyncDispose]() {
      await database.close();
      await admin((client) => dropDatabase(client, name));
    },
  };
}
