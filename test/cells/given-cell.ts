import pg from 'pg';
import { randomId } from '../../src/lib/random-id.ts';
import { type App, givenApp, openTestDatabase } from '../harness.ts';

/** A cell: an ordinary service on a database of its own, at an address of its own (docs/cells.md#what-a-cell-is). */
export type Cell = { name: string; app: App; url: string; close(): Promise<void> };

/** Cells share the secret that seals products: a product that one cell shows can be ordered after its store has moved. */
const TOKEN_SECRET = 'the secret of all cells';

/** Makes a database in the server of the run, and a service on the database that listens. */
export async function givenCell(name: string): Promise<Cell> {
  const server = await openTestDatabase();
  const database = randomId('cell_', 6).toLowerCase().replaceAll('-', '_');
  await onServer(server.connectionString, `create database ${database}`);
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  const app = await givenApp({ connectionString: url.href, env: { TOKEN_SECRET } });
  return {
    name,
    app,
    url: await app.service.listen(),
    async close() {
      await app.close();
      await onServer(server.connectionString, `drop database ${database} with (force)`);
      await server.close();
    },
  };
}

async function onServer(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(text).finally(() => client.end());
}
