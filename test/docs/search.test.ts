import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSearch } from '../../web/docs/search.ts';
import { givenApp } from '../harness.ts';

const app = await givenApp();

test('a question finds the command that does it, commands and titles first, and decisions apart', async () => {
  const search = await loadSearch(`${await app.service.listen()}/docs/search/words.json`);
  const first = (query: string) => search(query)[0];
  for (const query of ['how do I get an API key', 'How do I get an API key?', 'get api key'])
    assert.equal(first(query)?.heading, 'doorstep keys create', query);
  assert.equal(first('how do I import a feed')?.heading.startsWith('doorstep import'), true);
  assert.equal(first('backup')?.heading, 'doorstep backup <dir>');
  const found = search('change clock');
  const places = found.map(({ isDecision }) => isDecision);
  assert.deepEqual(
    places,
    places.toSorted((a, b) => Number(a) - Number(b)),
  );
  assert.ok(places.includes(true) && places.includes(false));
  assert.ok(search('how do I').length > 0);
  for (const query of ['refund partial', 'partial refund', 'part refun']) {
    const [best] = search(query);
    assert.ok(best && /refund/i.test(best.heading + best.excerpt), query);
    assert.equal(`${best.page}#${best.anchor}`, 'payments#refunds', query);
  }
});
