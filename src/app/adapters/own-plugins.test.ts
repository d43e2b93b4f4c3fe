import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COURIER_STATES } from '../../fulfillment/deliveries/couriers/courier-gateway.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { PLUGIN_LISTS, prefixOf, settingName } from '../../platform/config/plugin-settings.ts';
import { readSettings } from '../wiring/read-settings.ts';
import { COURIER, GATEWAY, GEOCODING, MAIL, NOTICES, PRINTING, SMS, TAX } from './guard-port.ts';
import { OWN_PLUGINS } from './own-plugins.ts';
import type { Plugin } from './plugin.ts';

const SECRET = 'hunter2';

const namesOf = (plugin: Plugin) => Object.keys(plugin.settings ?? {}).map((key) => settingName(prefixOf(plugin), key));
const requiredOf = (plugin: Plugin) =>
  Object.entries(plugin.settings ?? {}).flatMap(([key, { optional }]) =>
    optional ? [] : [settingName(prefixOf(plugin), key)],
  );

test('no two plug-ins share a name or a setting, and no two of a list a name', () => {
  const isUnique = (names: readonly string[]) => assert.equal(new Set(names).size, names.length, names.join());
  isUnique(OWN_PLUGINS.map(({ name }) => name));
  isUnique(OWN_PLUGINS.flatMap(namesOf));
  for (const list of PLUGIN_LISTS)
    isUnique(OWN_PLUGINS.flatMap((plugin) => (plugin[list] ?? []).map((one) => one.name)));
});

test('docs/plugins.md names every list, every port’s operations, and every delivery state', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/plugins.md'), 'utf8');
  const operations = [COURIER, GATEWAY, GEOCODING, MAIL, NOTICES, PRINTING, SMS, TAX].flatMap(Object.keys);
  for (const word of [...PLUGIN_LISTS, ...operations, ...COURIER_STATES])
    assert.match(page, new RegExp(`\\b${word}\\b`), word);
});

for (const plugin of OWN_PLUGINS.filter(({ couriers }) => couriers)) {
  const { name } = plugin;
  const required = requiredOf(plugin);
  const all = namesOf(plugin);

  test(`${name} is configured by its own settings, with or without its optional ones`, () => {
    assert.equal(readSettings({}).pluginSettings.has(name), false);
    for (const names of [required, all]) {
      const env = Object.fromEntries(names.map((setting) => [setting, ` ${SECRET} `]));
      const values = readSettings(env).pluginSettings.get(name) ?? {};
      assert.deepEqual(
        Object.values(values),
        names.map(() => SECRET),
      );
    }
  });

  test(`the required settings of ${name} come together or not at all`, () => {
    const whole = Object.fromEntries(all.map((setting) => [setting, SECRET]));
    const isRefused = (env: Record<string, string>) =>
      assert.throws(
        () => readSettings(env),
        (error: unknown) => {
          assert.ok(error instanceof ConfigError);
          assert.match(error.message, /^[A-Z_, and]+ must be set together\.$/);
          for (const setting of required) assert.ok(error.message.includes(setting), error.message);
          return true;
        },
      );
    for (const setting of required) isRefused({ ...whole, [setting]: ' ' });
    for (const setting of all.filter((each) => !required.includes(each))) isRefused({ [setting]: SECRET });
  });
}
