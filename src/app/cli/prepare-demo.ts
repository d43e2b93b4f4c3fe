import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_SOURCE, DEMO_START, demoCatalog } from '../../../demo/catalog.ts';
import type { FeedStore } from '../../../demo/feed-line.ts';
import { PICTURES, pictureSides, withPictures } from '../../../demo/pictures.ts';
import { findAccount, findCallersByKeyHash, insertAccount } from '../../access/accounts/accounts.db.ts';
import { issueKey } from '../../access/accounts/issue-key.flow.ts';
import { setShop } from '../../access/accounts/set-shop.flow.ts';
import { insertOperator, listOperators } from '../../access/sessions/operators.db.ts';
import { issueAccessCode } from '../../access/sessions/sign-in.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { ensureSetting } from '../../platform/db/settings.db.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { hostInUrl } from '../../platform/lib/parse-setting.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { recordByName } from '../../platform/lib/records.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { FeedEntry } from '../../supply/imports/formats.ts';
import { importFeed } from '../../supply/imports/import-feed.flow.ts';
import { pruneFeed } from '../../supply/imports/import-files.flow.ts';
import { createTally, type ImportResult } from '../../supply/imports/import-result.ts';
import { parseStoreLine } from '../../supply/imports/parse-store-line.ts';
import { PHOTO_ID_LENGTH, PHOTO_SIZES, type Photo, presentPhoto } from '../../supply/photos/photo.ts';
import { findPhotoIds, savePhotoFiles, savePhotoRow } from '../../supply/photos/photos.db.ts';
import { storeIdOf } from '../../supply/stores/store-id.ts';
import { listStoresAfter } from '../../supply/stores/stores.db.ts';
import type { Service } from '../wiring/service.ts';
import { DEMO_FILE, readSavedDemo, type SavedDemo } from './account/saved-demo.ts';
import { writeDemoFile } from './demo-file.ts';
import { CommandFailure } from './failure.ts';

/* The demo's catalog and key: created or brought to this version's state before the service starts. */

const MAX_DEMO_STORES = 1000;

/** The demo's printed values; `start` is a position near an always-open store. */
export type Demo = {
  accountId: string;
  key: string;
  storeCount: number;
  start: typeof DEMO_START;
  /** The restaurant of both consoles: the sandbox one shows the account's orders, its owner's also changes the store. */
  storeName: string;
  codes: { console: string; owner: string; operator: string };
  trackingUrl: string;
  hasDocs: boolean;
};

/** Updates the demo catalog to this version's, and ensures the demo's key. */
export async function prepareDemo({ deps }: Service, config: Config): Promise<Demo> {
  const { read, created, updated, rejected } = await loadDemoCatalog(deps, config);
  if (rejected > 0) throw new CommandFailure(`The import rejected ${rejected} stores of the demo catalog.`);
  if (created + updated > 0) deps.log.info({ created, updated }, 'demo catalog loaded');
  const { accountId, key } = await ensureDemoKey(deps, config);
  await deps.db.transaction().execute((tx) => setShop(tx, accountId, DEMO_SHOP, deps.clock.now()));
  await deps.storeFeed.catchUp();
  const { trackingUrl, publicDocs: hasDocs } = config;
  const invited = await inviteToDemo(deps, accountId);
  return { accountId, key, storeCount: read, start: DEMO_START, trackingUrl, hasDocs, ...invited };
}

/** At `/shop` of the service. */
const DEMO_NEAR = '100 N Sangamon St, Chicago, IL 60607';
const DEMO_SHOP = { mode: 'sandbox', ucp: 'sandbox', isDefault: true, near: DEMO_NEAR } as const;

/** Issues new access codes at each start, because a code works once. */
async function inviteToDemo({ db, clock }: Pick<Service['deps'], 'db' | 'clock'>, accountId: string) {
  const stores = await listStoresAfter(db, undefined, { source: DEMO_SOURCE, limit: MAX_DEMO_STORES });
  const diner = stores.find(({ externalId }) => externalId === DEMO_START.externalId);
  if (!diner) throw new CommandFailure('The demo catalog lacks a diner.');
  const [store, owner, operator] = [
    await issueAccessCode(db, { storeId: diner.storeId, accountId }, clock.now()),
    await issueAccessCode(db, { storeId: diner.storeId }, clock.now()),
    await issueAccessCode(db, { operatorId: await ensureDemoOperator(db, clock.now()) }, clock.now()),
  ];
  return { storeName: diner.name, codes: { console: store.code, owner: owner.code, operator: operator.code } };
}

const DEMO_OPERATOR = { name: 'Demo operator', email: null, phone: null, role: 'admin' } as const;

async function ensureDemoOperator(db: Db, at: Temporal.Instant): Promise<string> {
  const known = (await listOperators(db)).find(({ role, disabledAt }) => role === 'admin' && disabledAt === null);
  const operator = known ?? (await insertOperator(db, DEMO_OPERATOR, at));
  if (!operator) throw new CommandFailure('The demo has no operator.');
  return operator.operatorId;
}

/** Does what `doorstep import --prune` does with a file, and saves the pictures. Loading again changes nothing. */
async function loadDemoCatalog(deps: Service['deps'], { baseUrl }: Config): Promise<ImportResult> {
  const { stores, photos } = await readPicturedCatalog(baseUrl);
  const tally = createTally();
  const seen = new Set<string>();
  const feed = { source: DEMO_SOURCE, name: null, folder: '.', entries: demoEntries(stores), seen, tally };
  await importFeed(deps, feed);
  await pruneFeed(deps, DEMO_SOURCE, seen);
  await saveDemoPictures(deps.db, photos, deps.clock.now());
  return tally.result(0);
}

async function* demoEntries(stores: readonly FeedStore[]): AsyncGenerator<FeedEntry[]> {
  let line = 0;
  for (const store of stores) {
    line += 1;
    yield [{ line, parsed: parseStoreLine(store) }];
  }
}

const ACCOUNT_NAME = 'Demo';
const UNIQUE_VIOLATION = '23505';

/**
 * The account "Demo"'s sandbox key, from DATA_DIR/demo.json, because the database has only its hash. Issues a new
 * key if the file is missing or of another database, or the key was revoked.
 */
async function ensureDemoKey(
  deps: { db: Db; clock: Clock },
  { dataDir, host, port }: Pick<Config, 'dataDir' | 'host' | 'port'>,
): Promise<{ accountId: string; key: string }> {
  const { key: kept, key_id: keptId = '' } = readSavedDemo(dataDir);
  const url = `http://${hostInUrl(host)}:${port}`;
  const hashes = kept === undefined ? [] : [sha256(kept)];
  const [caller] = await findCallersByKeyHash(deps.db, hashes, deps.clock.now());
  if (kept !== undefined && caller?.mode === 'sandbox') {
    await saveDemo(dataDir, { account_id: caller.accountId, key_id: keptId, key: kept, url });
    return { accountId: caller.accountId, key: kept };
  }
  const accountId = await ensureDemoAccount(deps);
  const { key, keyId } = await issueKey(deps.db, accountId, 'sandbox', deps.clock.now());
  await saveDemo(dataDir, { account_id: accountId, key_id: keyId, key, url });
  return { accountId, key };
}

async function saveDemo(dataDir: string, demo: SavedDemo): Promise<void> {
  await writeDemoFile(dataDir, DEMO_FILE, `${JSON.stringify(demo)}\n`, 0o600);
}

/** Removes the URL from the file, so that commands no longer use this demo. */
export async function removeDemoUrl({ dataDir, host, port }: Pick<Config, 'dataDir' | 'host' | 'port'>): Promise<void> {
  const { url, ...kept } = readSavedDemo(dataDir);
  if (url === `http://${hostInUrl(host)}:${port}`) await saveDemo(dataDir, kept as SavedDemo);
}

/** Two demos that start at once on a new database share one account. */
async function ensureDemoAccount({ db, clock }: { db: Db; clock: Clock }): Promise<string> {
  const accountId = await ensureSetting(db, 'demo_account_id', randomId('acc_', 12));
  if (await findAccount(db, accountId)) return accountId;
  try {
    await insertAccount(db, { accountId, name: ACCOUNT_NAME, isHouse: false, at: clock.now() });
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== UNIQUE_VIOLATION) throw error;
  }
  return accountId;
}

/*
 * The pictures of the demo are photos of its stores. One picture is one photo, even if several stores show it; it
 * belongs to the first.
 */

type Picture = { photo: Pick<Photo, 'photoId' | 'sizes'>; bytes: Buffer };
/** Pictures, and the stores that they are photos of. */
type Photos = ReadonlyMap<Picture, string>;

const FOLDER = join(import.meta.dirname, '../../../demo/pictures');

/** The demo catalog with addresses of its pictures, and the pictures. */
async function readPicturedCatalog(baseUrl: string): Promise<{ stores: readonly FeedStore[]; photos: Photos }> {
  const pictures = new Map(await Promise.all([...PICTURES].map(readPicture)));
  const photos = new Map<Picture, string>();
  const stores = [...demoCatalog()].map((store) =>
    withPictures(store, (name) => {
      const picture = pictures.get(name);
      if (!picture) throw new RangeError(`${name} is no picture.`);
      if (!photos.has(picture)) photos.set(picture, storeIdOf(DEMO_SOURCE, store.external_id));
      return presentPhoto(picture.photo, baseUrl).url;
    }),
  );
  return { stores, photos };
}

async function readPicture(name: string): Promise<[string, Picture]> {
  const bytes = await readFile(join(FOLDER, `${name}.webp`));
  const photoId = sha256(bytes).toString('base64url').slice(0, PHOTO_ID_LENGTH);
  return [name, { photo: { photoId, sizes: recordByName(PHOTO_SIZES, () => pictureSides(name)) }, bytes }];
}

/** Saves the pictures that the database lacks; all stores of the catalog are there. */
async function saveDemoPictures(db: Db, photos: Photos, createdAt: Temporal.Instant): Promise<void> {
  const ids = [...photos.keys()].map(({ photo }) => photo.photoId);
  const known = await findPhotoIds(db, ids);
  const missing = [...photos].filter(([{ photo }]) => !known.has(photo.photoId));
  await db.transaction().execute(async (tx) => {
    for (const [{ photo, bytes }, storeId] of missing) {
      await savePhotoRow(tx, { ...photo, storeId, storage: 'database', createdAt });
      await savePhotoFiles(tx, photo.photoId, new Map(PHOTO_SIZES.map((size) => [size, bytes])));
    }
  });
}
