import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenConsole } from '../../../test/given/merchant.ts';
import { givenApp } from '../../../test/harness.ts';

test('plug-ins are listed with the ports they fill and which of their settings are set, without a value', async (t) => {
  const settings = {
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'hunter2',
    TWILIO_FROM: '+12125550123',
  };
  const app = await givenApp({ env: { ...settings, GEOCODER: 'census' } });
  t.after(() => app.close());
  const operator = await givenConsole(app, null);
  const { status, body, text } = await operator.get('/operator/plugins');
  assert.equal(status, 200, text);
  const of = (name: string) => body.plugins.find((plugin: { name: string }) => plugin.name === name);
  assert.deepEqual(of('twilio').offers, [{ list: 'sms', name: 'twilio', chosen: true }]);
  assert.deepEqual(
    of('twilio').settings.map((one: { name: string; state: string }) => [one.name, one.state]),
    Object.keys(settings).map((name) => [name, 'set']),
  );
  assert.deepEqual([of('census').configured, of('census').offers[0].chosen], [true, true]);
  assert.deepEqual([of('stripe').configured, of('stripe').offers[0].chosen], [false, false]);
  assert.deepEqual(
    of('stripe')
      .settings.map((one: { name: string; state: string }) => [one.name, one.state])
      .slice(0, 2),
    [
      ['STRIPE_SECRET_KEY', 'missing'],
      ['STRIPE_WEBHOOK_SECRET', 'default'],
    ],
  );
  assert.deepEqual([of('escpos').configured, of('escpos').offers[0].chosen], [true, null]);
  for (const value of Object.values(settings)) assert.ok(!text.includes(value));
});
