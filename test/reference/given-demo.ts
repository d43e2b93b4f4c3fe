import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DEMO_SOURCE, demoCatalog } from '../../demo/catalog.ts';
import { demoPlaces } from '../../demo/places.ts';
import { osm } from '../../plugins/open-data/place-formats.flow.ts';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { createAccount, issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import { EXAMPLE_STORE_ID } from '../../src/supply/stores/example-store.ts';
import { givenIssuer, type Issuer } from '../fakes/openid-issuer.ts';
import { givenConsole, givenOperator, givenStoreKey, SAME_SITE } from '../given/merchant.ts';
import { givenSmtp, type SmtpReceiver } from '../given/smtp.ts';
import { givenTiles } from '../given/tiles.ts';
import { type App, givenOwnApp } from '../harness.ts';

/** The city of the demo stores near the examples' door. */
const CITY = 'Chicago';
export const TRACKING_HOST = 'track.demo.example';
/** The operator of the examples. */
export const OPERATOR_EMAIL = 'ana@example.com';

type Headers = Record<string, string>;

export type Callers = Record<'account' | 'live' | 'store' | 'console' | 'operator' | 'nobody', Headers>;

export type Demo = {
  app: App;
  accountId: string;
  callers: Callers;
  smtp: SmtpReceiver;
  issuer: Issuer;
  close(): Promise<void>;
};

/**
 * The service with the demo's stores of one city, its places, a map, two records of one café, a mailbox, a single
 * sign-on, and a key of every kind.
 */
export async function givenDemo(): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-examples-'));
  const places = join(folder, 'places.geojson');
  writeFileSync(places, JSON.stringify(demoPlaces()));
  const [smtp, issuer] = [await givenSmtp(), await givenIssuer()];
  const app = await givenOwnApp({
    env: {
      SMTP_URL: smtp.url,
      ...issuer.env,
      MAP_TILES: await givenTiles(join(folder, 'town.pmtiles')),
      PLACES_FILE: places,
      // The examples' webhook endpoint resolves to loopback, where nothing listens.
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    publicHttp: { resolveName: async () => ['127.0.0.1'] },
  });
  await importDemo(app, folder);
  const { db } = app.service.deps;
  const { accountId } = await createAccount(db, 'Demo', app.now(), true);
  await saveBranding(
    db,
    accountId,
    { customerCancel: true, helpEmail: 'help@shop.example', trackingHost: TRACKING_HOST },
    app.now(),
  );
  const keyOf = async (mode: 'sandbox' | 'live') => ({
    'id-token': (await issueKey(db, accountId, mode, app.now())).key,
  });
  const sessionOf = async (storeId: string | null) => ({
    ...SAME_SITE,
    cookie: (await givenConsole(app, storeId)).cookie,
  });
  const callers = {
    account: await keyOf('sandbox'),
    live: await keyOf('live'),
    store: { 'id-token': (await givenStoreKey(app, EXAMPLE_STORE_ID, accountId)).key },
    console: await sessionOf(EXAMPLE_STORE_ID),
    operator: await sessionOf(null),
    nobody: SAME_SITE,
  };
  await givenOperator(app, { email: OPERATOR_EMAIL });
  // Makes the examples' sessions newer than the session that lists them.
  await app.advance({ seconds: 1 });
  return {
    app,
    accountId,
    callers,
    smtp,
    issuer,
    async close() {
      await app.close();
      await Promise.all([smtp.close(), issuer.close()]);
      rmSync(folder, { recursive: true });
    },
  };
}

async function importDemo(app: App, folder: string): Promise<void> {
  const { db, clock } = app.service.deps;
  const stores = [...demoCatalog()].filter(({ address }) => address.city === CITY);
  const stdin = Readable.from(stores.map((line) => `${JSON.stringify(line)}\n`));
  await importFiles({ db, clock }, { files: ['-'], source: DEMO_SOURCE, stdin });
  const guide = join(folder, 'guide.geojson');
  writeFileSync(guide, JSON.stringify({ type: 'FeatureCollection', features: stores.filter(isCafe).map(placeOf) }));
  await importFiles({ db, clock }, { files: [guide], source: 'guide', format: osm, stdin: Readable.from([]) });
  await app.catchUp();
}

type DemoStore = ReturnType<typeof demoCatalog> extends Iterable<infer Store> ? Store : never;

const isCafe = ({ external_id: id }: DemoStore) => id === 'chicago-cafe';

/** The same business in OpenStreetMap. */
function placeOf({ name, latitude, longitude }: DemoStore): object {
  return {
    type: 'Feature',
    id: 'node/1',
    properties: { amenity: 'cafe', name },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  };
}
