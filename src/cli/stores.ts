import { Command } from 'commander';
import type { Sql } from '../db/connect.ts';
import { type ListedStore, listStoresAfter } from '../stores/stores.db.ts';
import type { OutputOptions } from './output.ts';
import { presentListedStore } from './present-listed-store.ts';
import { setStoreCommand, showStoreCommand } from './set-store.ts';
import { inviteStoreCommand, storeKeyCommand, storeSessionsCommand } from './stores-access.ts';
import { storeChannelsCommand } from './stores-channels.ts';
import { storeCourierCommand } from './stores-courier.ts';
import { storeMergesCommand, unmergeStoreCommand } from './stores-merges.ts';
import { storeOriginsCommand } from './stores-origins.ts';
import { withDatabase } from './with-database.ts';
import { type ListForm, writePages } from './write-pages.ts';

const PAGE = 1000;

export function storesCommand(): Command {
  return new Command('stores')
    .description(
      'List and show stores, set their switches and couriers, and manage merges of stores that are the same place.',
    )
    .addCommand(listCommand())
    .addCommand(showStoreCommand())
    .addCommand(setStoreCommand())
    .addCommand(storeChannelsCommand())
    .addCommand(inviteStoreCommand())
    .addCommand(storeKeyCommand())
    .addCommand(storeSessionsCommand())
    .addCommand(storeCourierCommand())
    .addCommand(storeMergesCommand())
    .addCommand(unmergeStoreCommand())
    .addCommand(storeOriginsCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('List stores, sorted by feed and by their id in the feed.')
    .option('--source <name>', 'list only the stores of this feed')
    .option(
      '--json',
      'answer with one JSON document: { stores: [{ store_id, external_id, name, source, listed, merged_into }] }',
    )
    .action((options: OutputOptions & { source?: string }) =>
      withDatabase(({ db, signal }) => writePages(options, STORES, pagesOf(db, options.source), signal)),
    );
}

const STORES: ListForm<ListedStore> = {
  name: 'stores',
  document: presentListedStore,
  heads: ['STORE', 'FEED', 'ID IN FEED', 'NAME', 'NOTE'],
  cells({ storeId, externalId, name, source, listed, mergedInto }) {
    const merged = mergedInto === null ? '' : `merged into ${mergedInto}`;
    return [storeId, source, externalId, name, listed ? merged : 'out of search'];
  },
};

async function* pagesOf(sql: Sql, source: string | undefined): AsyncGenerator<ListedStore[]> {
  let page = await listStoresAfter(sql, undefined, { source, limit: PAGE });
  while (page.length > 0) {
    yield page;
    page = page.length < PAGE ? [] : await listStoresAfter(sql, page.at(-1), { source, limit: PAGE });
  }
}
