import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { givenFolder } from '../../../test/given/folder.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { holdTimeOuts } from '../../../test/time-outs.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { GEOCODING } from '../adapters/guard-port.ts';
import { loadPlugins } from './load-plugins.ts';
import { openChosen } from './open-plugins.ts';
import { readSettings } from './read-settings.ts';

/*
 * One plug-in, broken in eleven ways: an error at the beginning stops the start with a reason, a later failure is an
 * outside error of its party, and everything else continues.
 */

const folder = givenFolder('doorstep-broken');

const ENV = { GEOCODER: 'broken', BROKEN_KEY: 'k' };
const GEOCODE = 'async geocode(text) { return []; }';
const plugin = (members: string, geocoder = GEOCODE) =>
  `export default { name: 'broken', version: '1.0.0', api: 1, settings: { key: { expected: 'a key' } },
    geocoders: [{ name: 'broken', open: async () => ({ ${geocoder} }) }], ${members} };`;

async function load(name: string, text: string) {
  const PLUGINS = join(folder, `${name}.mjs`);
  writeFileSync(PLUGINS, text);
  return loadPlugins({ PLUGINS });
}

const AT_START: readonly [how: string, text: string, reason: RegExp][] = [
  ['cannot be parsed', 'export default', /^Plug-in \S+ cannot be used: Unexpected/],
  ['throws as it is loaded', "throw new Error('no license');", /^Plug-in \S+ cannot be used: no license\.$/m],
  ['imports what is not there', "import './missing.mjs';", /^Plug-in \S+ cannot be used: Cannot find module/],
  ['exports no plug-in', 'export const plugin = {};', /its default export is no plug-in/],
  ['is made for another api', plugin('api: 2'), /broken 1\.0\.0 is made for api 2, and this Doorstep has api 1\.$/m],
  ['has the name of another', plugin("name: 'stripe'"), /another plug-in is named stripe/],
  [
    "has settings that begin as the service's",
    plugin("name: 'mail'"),
    /^Plug-in mail can't be used: its settings would start with the same name as the service's MAIL_FROM\.$/m,
  ],
  [
    'cannot be opened',
    plugin("geocoders: [{ name: 'broken', open() { throw new Error('no route'); } }]"),
    /^Plug-in broken could not open broken: no route\.$/,
  ],
  ['lacks an operation', plugin('', 'find() {}'), /^The geocoder broken has no geocode\.$/],
];

for (const [n, [how, text, reason]] of AT_START.entries()) {
  test(`a plug-in that ${how} stops the start`, async () => {
    const starting = async () => {
      const config = readSettings(ENV, await load(`start-${n}`, text));
      await openChosen({ config, clock: systemClock }, config.geocoder, ({ geocoders }) => geocoders, [
        'geocoder',
        GEOCODING,
      ]);
    };
    await assert.rejects(starting(), (error) => error instanceof ConfigError && reason.test(error.message));
  });
}

const LATER: readonly [how: string, geocode: string][] = [
  ['throws', "throw new TypeError('secret')"],
  ['hangs', 'return new Promise(() => {})'],
];

test('a plug-in that fails later is an outside error of its party, and stops nothing else', async (t) => {
  assert.equal(AT_START.length + LATER.length, 11);
  const ways = LATER.map(([how, geocode]) => `if (text === '${how}') ${geocode};`).join(' ');
  const lines: string[] = [];
  const app = await givenOwnApp({
    env: { ...ENV, LOG_LEVEL: 'warn' },
    plugins: await load('later', plugin('', `async geocode(text) { ${ways} return []; }`)),
    onLogLine: (line) => lines.push(line),
  });
  t.after(() => app.close());
  const client = await app.givenClient('live');
  for (const [how] of LATER) {
    await t.test(how, async (t) => {
      const timeOuts = holdTimeOuts(t);
      const pending = client.get('/utils/geocode', { address: how });
      await timeOuts.passUntilEnd(pending);
      const { status, body, text } = await pending;
      assert.deepEqual([status, body.code], [503, 'upstream_unavailable']);
      assert.doesNotMatch(text, /secret|broken/);
      assert.match(lines.at(-1) ?? '', /"broken: geocode (failed|did not answer in time)\./);
      assert.equal((await client.get('/utils/geocode', { address: 'Nowhere' })).body.code, 'address_not_found');
    });
  }
});
