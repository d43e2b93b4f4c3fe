import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { NamedFormat } from '../../src/supply/imports/formats.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import type { ImportResult } from '../../src/supply/imports/import-result.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { type FeedLine, pizzeria } from '../feed-lines.ts';
import { type App, givenApp } from '../harness.ts';

export type ImportOptions = { source?: string; prune?: boolean; format?: NamedFormat };

/** A feed's product; `changes` override its fields. */
export const product = (id: string, changes: FeedLine = {}): FeedLine => ({ id, name: id, price: 100, ...changes });

/** The store `shop` with one category of these products. */
export const shop = (products: FeedLine[], changes: FeedLine = {}): FeedLine =>
  pizzeria({ external_id: 'shop', categories: [{ id: 'c', name: 'C', products }], ...changes });

/** read, created, updated, unchanged, rejected */
export const countsOf = ({ read, created, updated, unchanged, rejected }: ImportResult) => [
  read,
  created,
  updated,
  unchanged,
  rejected,
];

/** The service that import tests share, each with feeds of its own names, or another; a feed folder, and queries. */
export async function givenImport(open: () => Promise<App> = givenApp) {
  const app = await open();
  const { db, clock } = app.service.deps;
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-import-'));
  const fileOf = (name: string, lines: readonly unknown[]): string => {
    const file = join(folder, name);
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    // A feed without stores is a file with a blank line, because an empty file is refused.
    writeFileSync(file, texts.length === 0 ? '\n' : texts.join('\n'));
    return file;
  };
  const importAll = async (files: string[], options: ImportOptions = {}): Promise<ImportResult> =>
    (await importFiles({ db, clock }, { files, stdin: Readable.from([]), ...options })).result;
  return {
    app,
    db,
    clock,
    folder,
    fileOf,
    importAll,
    /** Imports lines as this feed and returns the counts. */
    importLines: async (source: string, lines: readonly unknown[], options: ImportOptions = {}) =>
      countsOf(await importAll([fileOf(`${source}.ndjson`, lines)], { source, ...options })),
    store: (source: string, externalId = 'shop') =>
      db.selectFrom('stores').selectAll().where('storeId', '=', storeIdOf(source, externalId)).executeTakeFirst(),
    /** The products of a store by their feed ids. */
    async productsOf(source: string, externalId = 'shop') {
      const storeId = storeIdOf(source, externalId);
      const rows = await db.selectFrom('products').selectAll().where('storeId', '=', storeId).execute();
      return new Map(rows.map((row) => [row.externalId, row]));
    },
    /** Inventory versions of a shop, for delivery and pickup. */
    async digests(source: string): Promise<string[]> {
      const { rows } = await sql<{ delivery: string; pickup: string }>`
        select delivery_digest::text as delivery, pickup_digest::text as pickup from menus
        where store_id = ${storeIdOf(source, 'shop')}`.execute(db);
      return rows[0] ? [rows[0].delivery, rows[0].pickup] : [];
    },
    async close() {
      await app.close();
      rmSync(folder, { recursive: true });
    },
  };
}
