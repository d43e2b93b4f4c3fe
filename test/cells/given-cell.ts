import pg from 'pg';
import { randomId } from '../../src/lib/random-id.ts';
import { dropDatabase } from '../drop-database.ts';
import { type App, givenApp, openTestDatabase } from '../harness.ts';

/** A cell: an ordinary service on a database of its own, at an address of its own (docs/cells.md#what-a-cell-is). */
export type Cell = { name: string; app: App; url: string; close(): Promise<void> };

/** Cells share the secret that seals products: a product that one cell shows can be ordered after its store has moved. */
const TOKEN_SECRET = 'the secret of all cells';

/** Makes a database in the server of the run, and a service on the database that listens. */
export async function givenCell(name: string): Promise<Cell> {
  const server = await openTestDatabase();
  const database = randomId('cell_', 6).toLowerCase().replaceAll('-', '_');
  await onServer(server.connectionString, (client) => client.query(`create database ${database}`));
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  const app = await givenApp({ connectionString: url.href, env: { TOKEN_SECRET } });
  return {
    name,
    app,
    url: await app.service.listen(),
    async close() {
      await app.close();
      await onServer(server.connectionString, (client) => dropDatabase(client, database));
      await server.close();
    },
  };
}

async function onServer(connectionString: string, run: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await run(client).finally(() => client.end());
}
