import { DEMO_SOURCE, DEMO_START, demoCatalogue } from '../../demo/catalogue.ts';
import type { Config } from '../config.ts';
import { parseStoreLine } from '../imports/feed/parse-store-line.ts';
import type { FeedEntry } from '../imports/formats.ts';
import { importFeed } from '../imports/import-feed.flow.ts';
import { pruneFeed } from '../imports/import-files.flow.ts';
import { createTally, type ImportResult } from '../imports/import-result.ts';
import { createOsmMemo } from '../imports/osm-memo.ts';
import { createSeenStores } from '../imports/seen-stores.ts';
import { inviteToConsole } from '../merchants/sign-in.flow.ts';
import type { Service } from '../service.ts';
import { listStoresAfter } from '../stores/stores.db.ts';
import { ensureDemoKey } from './demo-key.ts';
import { CommandFailure } from './failure.ts';

const MAX_DEMO_STORES = 1000;

/** The facts that the demo prints; `start` is a position near a store that is always open. */
export type Demo = {
  accountId: string;
  key: string;
  storeCount: number;
  start: typeof DEMO_START;
  /** The diner of the sandbox console, which shows the account's orders. */
  storeName: string;
  codes: { console: string; operator: string };
  trackingUrl: string;
};

/** Brings the demo catalogue to this version's state and ensures the demo's key. */
export async function prepareDemo({ deps }: Service, config: Config): Promise<Demo> {
  const { read, created, updated, rejected } = await loadDemoCatalogue(deps);
  if (rejected > 0) throw new CommandFailure(`The import refused ${rejected} stores of the demo catalogue.`);
  if (created + updated > 0) deps.log.info({ created, updated }, 'demo catalogue loaded');
  const { accountId, key } = await ensureDemoKey(deps, config.dataDir);
  await deps.storeFeed.catchUp();
  const { trackingUrl } = config;
  return { accountId, key, storeCount: read, start: DEMO_START, trackingUrl, ...(await inviteToDemo(deps, accountId)) };
}

/** New access codes at each start: a code works once. */
async function inviteToDemo(
  { db, clock }: Pick<Service['deps'], 'db' | 'clock'>,
  accountId: string,
): Promise<Pick<Demo, 'storeName' | 'codes'>> {
  const stores = await listStoresAfter(db, undefined, { source: DEMO_SOURCE, limit: MAX_DEMO_STORES });
  const diner = stores.find(({ externalId }) => externalId === DEMO_START.externalId);
  if (!diner) throw new CommandFailure('The demo catalogue has no diner.');
  const [store, operator] = [
    await inviteToConsole(db, diner.storeId, clock.now(), accountId),
    await inviteToConsole(db, null, clock.now()),
  ];
  return { storeName: diner.name, codes: { console: store.code, operator: operator.code } };
}

/** Does what `doorstep import --prune` does with a file. A second load changes nothing. */
async function loadDemoCatalogue(deps: Service['deps']): Promise<ImportResult> {
  const tally = createTally();
  const seen = createSeenStores();
  const feed = { source: DEMO_SOURCE, name: null, folder: '.', entries: demoEntries(), seen, tally };
  await importFeed(deps, feed);
  await pruneFeed(deps, DEMO_SOURCE, seen);
  return tally.result(0);
}

async function* demoEntries(): AsyncGenerator<FeedEntry[]> {
  const readOsmHours = createOsmMemo();
  let line = 0;
  for (const store of demoCatalogue()) {
    line += 1;
    yield [{ line, parsed: parseStoreLine(store, readOsmHours) }];
  }
}
