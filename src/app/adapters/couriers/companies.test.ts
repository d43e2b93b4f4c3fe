import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from '../../../platform/config/config.ts';
import { readSettings } from '../../wiring/read-settings.ts';
import { COURIER_COMPANIES } from './companies.ts';

const SECRET = 'hunter2';

test('no two companies share a name, nor a setting', () => {
  const names = COURIER_COMPANIES.map(({ name }) => name);
  const settings = COURIER_COMPANIES.flatMap(({ settings: { required, optional } }) => [
    ...Object.values(required),
    ...Object.values(optional ?? {}),
  ]);
  assert.deepEqual([new Set(names).size, new Set(settings).size], [names.length, settings.length]);
});

for (const { name, settings } of COURIER_COMPANIES) {
  const { required, optional = {} } = settings;
  const all = { ...required, ...optional };

  test(`${name} is configured by its own settings, with or without its optional ones`, () => {
    assert.equal(readSettings({}).couriers.size, 0);
    for (const names of [required, all]) {
      const env = Object.fromEntries(Object.values(names).map((setting) => [setting, ` ${SECRET} `]));
      const values = Object.fromEntries(Object.keys(names).map((key) => [key, SECRET]));
      assert.deepEqual([...readSettings(env).couriers], [[name, values]]);
    }
  });

  test(`the required settings of ${name} come together or not at all`, () => {
    const whole = Object.fromEntries(Object.values(all).map((setting) => [setting, SECRET]));
    const isRefused = (env: Record<string, string>) =>
      assert.throws(
        () => readSettings(env),
        (error: unknown) => {
          assert.ok(error instanceof ConfigError);
          assert.match(error.message, /^[A-Z_, and]+ must be set together\.$/);
          for (const setting of Object.values(required)) assert.ok(error.message.includes(setting), error.message);
          return true;
        },
      );
    for (const setting of Object.values(required)) isRefused({ ...whole, [setting]: ' ' });
    for (const setting of Object.values(optional)) isRefused({ [setting]: SECRET });
  });
}
