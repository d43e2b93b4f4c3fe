import { type App, givenApp } from '../harness.ts';

/** A cell: an ordinary service with its own database and address (docs/cells.md#what-a-cell-is). */
export type Cell = { name: string; app: App; url: string; close(): Promise<void> };

/** Cells share the secret that seals product tokens, so that a token stays valid after its store has moved. */
const TOKEN_SECRET = 'the secret of all cells';

/** Starts a listening cell. */
export async function givenCell(name: string): Promise<Cell> {
  const app = await givenApp({ env: { TOKEN_SECRET } });
  return { name, app, url: await app.service.listen(), close: () => app.close() };
}
