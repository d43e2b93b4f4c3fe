import { type App, givenApp } from '../harness.ts';

/** A cell: an ordinary service on a database of its own, at an address of its own (docs/cells.md#what-a-cell-is). */
export type Cell = { name: string; app: App; url: string; close(): Promise<void> };

/** Cells share the secret that seals products: a product that one cell shows can be ordered after its store has moved. */
const TOKEN_SECRET = 'the secret of all cells';

/** Starts a cell that listens. */
export async function givenCell(name: string): Promise<Cell> {
  const app = await givenApp({ env: { TOKEN_SECRET } });
  return { name, app, url: await app.service.listen(), close: () => app.close() };
}
