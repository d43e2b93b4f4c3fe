import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, givenApp } from '../../../test/harness.ts';

let app: App;
before(async () => {
  app = await givenApp();
});
after(() => app.close());

const warningOf = async (query: string) => {
  const url = `/search/store/v3?latitude=40.7&longitude=-74${query}`;
  const { statusCode, headers } = await app.service.http.inject({ url, headers: { 'id-token': app.key } });
  return [statusCode, headers['doorstep-warning']];
};

test('an unknown parameter that is close to a known one is named in Doorstep-Warning, with the one that is meant', async () => {
  const miles = 'max_miles is ignored; did you mean maximum_miles?';
  assert.deepEqual(await warningOf('&max_miles=5'), [200, miles]);
  assert.deepEqual(await warningOf('&max_miles=5&Open=true&utm_source=x'), [
    200,
    `${miles} Open is ignored; did you mean open?`,
  ]);
  assert.deepEqual(await warningOf('&max_miles=5&sort=none'), [400, miles]);
});

test('a place that is given by the end of a name is named too', async () => {
  const url = '/places/search?search=diner&latitude=40.7';
  const { statusCode, headers } = await app.service.http.inject({ url, headers: { 'id-token': app.key } });
  const warning = 'latitude is ignored; did you mean location_bias_latitude?';
  assert.deepEqual([statusCode, headers['doorstep-warning']], [200, warning]);
});

test('other answers have no warning: known, foreign, hostile and repeated parameters', async () => {
  for (const query of [
    '',
    '&maximum_miles=5',
    '&utm_source=x',
    '&maximum_miles=5&max_miles=5',
    '&a%0d%0ab=1',
    '&__proto__=1',
  ]) {
    assert.deepEqual(await warningOf(query), [200, undefined], query);
  }
});
