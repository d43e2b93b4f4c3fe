import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheAddresses } from './public-http.ts';

/** DNS lookups with answers set by the test, and a record of the queried names. */
function givenLookUps() {
  const queried: string[] = [];
  const answers = new Map<string, readonly string[] | Error>();
  const resolve = cacheAddresses(async (name) => {
    queried.push(name);
    const answer = answers.get(name) ?? [];
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { queried, answers, resolve };
}

test('calls at once share a look-up, and its addresses are kept', async () => {
  const { queried, answers, resolve } = givenLookUps();
  answers.set('a.example', ['192.0.2.1']);
  assert.deepEqual(await Promise.all([resolve('a.example'), resolve('a.example')]), [['192.0.2.1'], ['192.0.2.1']]);
  assert.deepEqual(await resolve('a.example'), ['192.0.2.1']);
  assert.deepEqual(queried, ['a.example']);
});

test('a name without address, and a look-up that failed, are looked up again', async () => {
  const { queried, answers, resolve } = givenLookUps();
  assert.deepEqual(await resolve('new.example'), []);
  answers.set('new.example', ['192.0.2.2']);
  assert.deepEqual(await resolve('new.example'), ['192.0.2.2']);
  answers.set('down.example', new Error('no answer'));
  await assert.rejects(resolve('down.example'), /no answer/);
  answers.set('down.example', ['192.0.2.3']);
  assert.deepEqual(await resolve('down.example'), ['192.0.2.3']);
  assert.deepEqual(queried, ['new.example', 'new.example', 'down.example', 'down.example']);
});

test('a look-up that other names push out of memory still answers its call', async () => {
  const { answers, resolve } = givenLookUps();
  answers.set('first.example', ['192.0.2.4']);
  const first = resolve('first.example');
  const others = Array.from({ length: 2000 }, (_, n) => resolve(`${n}.example`));
  assert.deepEqual(await first, ['192.0.2.4']);
  await Promise.all(others);
});
