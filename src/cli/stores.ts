import { Command } from 'commander';
import type { Sql } from '../db/connect.ts';
import { type ListedStore, listStoresAfter } from '../stores/list-stores.db.ts';
import { type OutputOptions, writeOut } from './output.ts';
import { presentListedStore } from './present-listed-store.ts';
import { setStoreCommand } from './set-store.ts';
import { storeMergesCommand, unmergeStoreCommand } from './stores-merges.ts';
import { storeOriginsCommand } from './stores-origins.ts';
import { withDatabase } from './with-database.ts';

const PAGE = 1000;

export function storesCommand(): Command {
  return new Command('stores')
    .description('Stores: what is in the catalogue, the switches of one store, and which of them are one place.')
    .addCommand(listCommand())
    .addCommand(setStoreCommand())
    .addCommand(storeMergesCommand())
    .addCommand(unmergeStoreCommand())
    .addCommand(storeOriginsCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('List stores by feed and by the id that the feed gives them.')
    .option('--source <name>', 'only those of this feed')
    .option(
      '--json',
      'answer with one JSON document: { stores: [{ store_id, external_id, name, source, listed, merged_into }] }',
    )
    .action((options: OutputOptions & { source?: string }) =>
      withDatabase(async ({ db, signal }) => {
        const write = options.json ? jsonWriter() : lineWriter();
        for await (const page of pagesOf(db, options.source)) {
          signal.throwIfAborted();
          write.page(page);
        }
        write.end();
      }),
    );
}

/** A country of stores does not fit a terminal's memory: it is read, and written, page by page. */
async function* pagesOf(sql: Sql, source: string | undefined): AsyncGenerator<ListedStore[]> {
  let page = await listStoresAfter(sql, undefined, { source, limit: PAGE });
  while (page.length > 0) {
    yield page;
    page = page.length < PAGE ? [] : await listStoresAfter(sql, page.at(-1), { source, limit: PAGE });
  }
}

function jsonWriter() {
  let separator = '{"stores":[';
  return {
    page(stores: readonly ListedStore[]): void {
      const text = stores.map((store) => JSON.stringify(presentListedStore(store))).join(',');
      process.stdout.write(separator + text);
      separator = ',';
    },
    end: () => writeOut(separator === ',' ? ']}' : '{"stores":[]}'),
  };
}

function lineWriter() {
  return {
    page(stores: readonly ListedStore[]): void {
      for (const store of stores) {
        const merged = store.mergedInto === null ? '' : `  (one place with ${store.mergedInto})`;
        const note = store.listed ? merged : '  (out of search)';
        writeOut(`${store.storeId}  ${store.source}  ${store.externalId}  ${store.name}${note}`);
      }
    },
    end: () => {},
  };
}
