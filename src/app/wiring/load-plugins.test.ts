import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { blocksOf } from '../../../test/docs/doc-blocks.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenFolder } from '../../../test/given/folder.ts';
import { givenChannel } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { listDeliveries, setStoreCourier } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { takeStep } from '../../ordering/money/take-step.flow.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { loadPlugins, OWN } from './load-plugins.ts';
import { readSettings } from './read-settings.ts';

const BIKE = join(import.meta.dirname, '../../../test/plugins/bike.ts');

const folder = givenFolder('doorstep-plugins');

/** The errors of a start with plug-ins of these texts, named after their place in the list. */
async function faultsOf(texts: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const files = texts.map((text, n) => {
    const file = join(folder, `plugin-${n}.mjs`);
    writeFileSync(file, text);
    return file;
  });
  const PLUGINS = files.join(',');
  try {
    readSettings({ ...env, PLUGINS }, await loadPlugins({ PLUGINS }));
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.replaceAll(`${folder}/`, '').split('\n');
  }
}

test('the example of docs/plugins.md is loaded, and chosen by its setting', async () => {
  const file = join(folder, 'acme.ts');
  const [example] = blocksOf('docs/plugins.md');
  writeFileSync(file, example?.text ?? '');
  const env = { PLUGINS: file, GEOCODER: 'acme', ACME_API_KEY: 'k' };
  const { geocoder, pluginSettings } = readSettings(env, await loadPlugins(env));
  assert.deepEqual([geocoder, pluginSettings.get('acme')], [{ name: 'acme' }, { apiKey: 'k' }]);
});

test('one setting removes a built-in plug-in together with its settings and its offers', async () => {
  const env = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'secret', TWILIO_FROM: '+12125550100' };
  const { smsSender } = readSettings(env, await loadPlugins(env));
  assert.equal(smsSender, 'twilio');
  const without = { ...env, PLUGINS_OFF: ' twilio, census' };
  const plugins = await loadPlugins(without);
  const config = readSettings(without, plugins);
  assert.deepEqual([config.smsSender, config.pluginSettings.has('twilio')], [undefined, false]);
  assert.deepEqual(
    OWN.all
      .filter((plugin) => !plugins.all.includes(plugin))
      .map(({ name }) => name)
      .sort(),
    ['census', 'twilio'],
  );
  const { faults } = await loadPlugins({ PLUGINS_OFF: 'paypal' });
  assert.match(String(faults), /^PLUGINS_OFF names paypal, which is none of: /);
});

test('without the plug-in of open data its formats are gone, and no place is found', async (t) => {
  const env = { PLACES_FILE: 'places.geojson', PLUGINS_OFF: 'open-data' };
  const plugins = await loadPlugins(env);
  const { placeDirectory, warnings } = readSettings(env, plugins);
  assert.deepEqual([placeDirectory, warnings.map(({ setting }) => setting)], [undefined, ['PLACES_FILE']]);
  assert.deepEqual(
    plugins.all.flatMap(({ formats = [] }) => formats).map(({ name }) => name),
    ['ndjson', 'google-food', 'schema-org'],
  );
  const app = await givenOwnApp({ env, plugins });
  t.after(() => app.close());
  const { status, body } = await (await app.givenClient('live')).get('/places/search?search=cafe');
  assert.deepEqual([status, body], [200, { places: [] }]);
});

test('a courier in TypeScript delivers from the request to its last report', async (t) => {
  const env = { PLUGINS: BIKE, BIKE_SECRET: 'bike-secret', ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' };
  const app = await givenOwnApp({ env, plugins: await loadPlugins(env) });
  t.after(() => app.close());
  const { db } = app.service.deps;
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  await givenChannel(app, storeId);
  await setStoreCourier(db, storeId, 'bike', app.now());
  const client = await app.givenClient('live');
  const token = (await productTokens(client, storeId)).Soda;
  const items = [{ product_id: token, quantity: 4 }];
  const { body } = await client.post('/order/order/v2', orderBody(token, null, { items, charge_user: false }));
  await takeStep(app.service.deps, body.order_id, { event: 'confirm' });
  await app.advance({ seconds: 1 });
  const [delivery] = await listDeliveries(db, body.order_id);
  assert.deepEqual([delivery?.gateway, delivery?.deliveryId], ['bike', `bike-${body.order_id}-1`]);
  const report = (authorization: string) =>
    app.service.http.inject({
      method: 'POST',
      url: '/couriers/bike/webhook',
      headers: { authorization },
      payload: { key: `${body.order_id}-1`, state: 'picked_up' },
    });
  assert.equal((await report('someone')).statusCode, 400);
  assert.equal((await report('bike-secret')).statusCode, 200);
});

test('plug-in settings are checked with all others, and a choice needs them', async () => {
  const plugins = await loadPlugins({ PLUGINS: BIKE });
  const faults = (env: Record<string, string>) => {
    try {
      return [...readSettings(env, plugins).pluginSettings.keys()].includes('bike');
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(faults({}), false);
  assert.equal(faults({ BIKE_SECRET: 'long enough' }), true);
  assert.equal(
    faults({ BIKE_SECRET: 'short', PORT: 'x' }),
    'PORT must be a port between 0 and 65535.\nBIKE_SECRET must be at least 8 characters.',
  );
});

const GATEWAY = (more: string) =>
  `export default { name: 'acme', version: '1.2.0', api: 1, settings: { key: { expected: 'a key' } }, gateways: [{ name: 'acme', open: async () => ({}) }], ${more} };`;

test('each member of a plug-in that is wrong stops the start with its name and the reason, all at once', async () => {
  const cases: readonly [text: string, fault: RegExp][] = [
    [GATEWAY("name: 'Acme!'"), /^Plug-in plugin-0\.mjs cannot be used: its name must be lower-case/],
    [GATEWAY('version: 2'), /acme has no version/],
    [GATEWAY("taxes: [{ name: 'built-in', open() {} }]"), /each of taxes of acme 1\.2\.0 needs a name/],
    [GATEWAY("taxes: [{ name: 'stripe', open() {} }]"), /taxes have another stripe/],
    [GATEWAY("mailers: [{ name: 'post' }]"), /post in mailers of acme 1\.2\.0 has no function open/],
    [GATEWAY("printers: [{ name: 'escpos', open() {} }]"), /printers have another escpos/],
    [GATEWAY("formats: [{ name: 'osm', open() {} }]"), /formats have another osm/],
    [GATEWAY("settings: { key: 'a key' }"), /the setting key of acme 1\.2\.0 needs/],
    [GATEWAY('drones: []'), /acme 1\.2\.0 has drones, which api 1 does not know/],
  ];
  const faults = await faultsOf(
    cases.map(([text]) => text),
    { PORT: 'x' },
  );
  assert.equal(faults.length, cases.length + 1, faults.join('\n'));
  for (const [n, [, fault]] of cases.entries()) assert.match(faults[n] ?? '', fault);
  const file = join(folder, 'acme.mjs');
  writeFileSync(file, GATEWAY(''));
  const acme = await loadPlugins({ PLUGINS: file });
  assert.throws(
    () => readSettings({ PAYMENT_GATEWAY: 'acme' }, acme),
    /^ConfigError: PAYMENT_GATEWAY=acme needs ACME_KEY\.$/,
  );
});
