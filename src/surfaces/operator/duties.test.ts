import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenChannel, givenConsole } from '../../../test/given/merchant.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { DUTIES, DUTY_PLACES, dutiesOf } from './duties.ts';

test('the states, provinces and cities that the page promises have duties, each with a source', () => {
  const known = new Set(DUTIES.map(([place]) => place));
  assert.deepEqual([...known].sort(), Object.keys(DUTY_PLACES).sort());
  for (const [place, topic, due, since, title, section, url] of DUTIES) {
    assert.ok(due && title && section && url.startsWith('http'), `${place} ${topic}`);
    assert.match(since, /^$|^\d{4}-\d\d-\d\d$/);
  }
});

test('British Columbia, Québec and Texas have duties on tips and privacy of their own', () => {
  for (const state of ['CA-BC', 'CA-QC', 'US-TX']) {
    const topics = new Set(DUTIES.filter(([place]) => place === state).map(([, topic]) => topic));
    assert.ok(topics.has('tips') && topics.has('privacy'), state);
  }
});

test('a state has its own duties, its cities’ and its country’s', () => {
  const placesOf = (state: string) => [...new Set(dutiesOf(state).map(([place]) => place))].sort();
  assert.deepEqual(placesOf('ny'), ['NYC', 'US', 'US-NY']);
  assert.deepEqual(placesOf('CA'), ['US', 'US-CA']);
  assert.deepEqual(placesOf('QC'), ['CA', 'CA-QC']);
  assert.deepEqual(placesOf('ZZ'), []);
  assert.equal(dutiesOf(undefined), DUTIES);
});

test('duties are compared with the settings and the live stores of the place', async (t) => {
  const app = await givenApp();
  t.after(() => app.close());
  const operator = await givenConsole(app, null);
  const [storeId = ''] = await givenStores(app, [pizzeria({ fees: {} })]);
  const findings = async (state: string) => {
    const { duties } = (await operator.get('/operator/duties', { state })).body as {
      duties: { topic: string; place: string; finding: string | null }[];
    };
    return duties.filter(({ finding }) => finding !== null).map(({ place, topic, finding }) => [place, topic, finding]);
  };
  assert.deepEqual(await findings('NY'), [], 'no live store');
  await givenChannel(app, storeId, { console: true });
  const sold = 'Live stores without an agreement: 1 of 1; they are sold, because REQUIRE_AGREEMENT is false.';
  assert.deepEqual(await findings('NY'), [
    ['New York', 'agreements', sold],
    ['New York', 'tax', 'Live stores with statewide taxes from the built-in table: 1 of 1.'],
    ['New York City', 'agreements', sold],
  ]);
  assert.deepEqual(await findings('TX'), []);
});
