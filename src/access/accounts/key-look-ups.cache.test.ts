import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from '../../../test/until.ts';
import { createLookUpKey, type KeyKind } from './key-look-ups.cache.ts';

/** DNS lookups with answers set by the test. */
function givenLookUps() {
  const lookUpKey = createLookUpKey();
  const reads: { key: string; answer: (found: string | undefined) => void }[] = [];
  const ask = (key: string, client = 'a', kind: KeyKind = 'account') =>
    lookUpKey(kind, key, client, () => new Promise<string | undefined>((answer) => reads.push({ key, answer })));
  const answer = async (found: string | undefined) => {
    reads.shift()?.answer(found);
    await nextTurn();
  };
  return { ask, answer, reading: () => reads.map(({ key }) => key) };
}

test('a key in use stays cached next to any number of guessed keys', async () => {
  const { ask, answer, reading } = givenLookUps();
  const first = ask('valid');
  await answer('caller');
  assert.equal(await first, 'caller');
  const guesses = [ask('guess 1'), ask('guess 2')];
  const again = ask('valid');
  assert.deepEqual(reading(), ['guess 1', 'valid']);
  for (const found of [undefined, 'caller', undefined]) await answer(found);
  assert.deepEqual(await Promise.all([...guesses, again]), [undefined, undefined, 'caller']);
});

test('a revoked key waits with the others from then on', async () => {
  const { ask, answer, reading } = givenLookUps();
  for (const found of ['caller', undefined]) {
    const lookUp = ask('revoked');
    await answer(found);
    assert.equal(await lookUp, found);
  }
  const [guess, revoked] = [ask('guess'), ask('revoked')];
  assert.deepEqual(reading(), ['guess']);
  await answer(undefined);
  await answer(undefined);
  assert.deepEqual(await Promise.all([guess, revoked]), [undefined, undefined]);
});

test('requests that come with one new key at the same time share its look-up', async () => {
  const { ask, answer, reading } = givenLookUps();
  const lookUp = Array.from({ length: 1000 }, () => ask('new'));
  assert.deepEqual(reading(), ['new']);
  await answer('caller');
  assert.deepEqual([...new Set(await Promise.all(lookUp))], ['caller']);
});

test('a text used as two kinds of key at once is parsed as each of them', async () => {
  const { ask, answer, reading } = givenLookUps();
  const [store, account] = [ask('text', 'a', 'store'), ask('text', 'a', 'account')];
  assert.deepEqual(reading(), ['text']);
  await answer('merchant');
  await answer(undefined);
  assert.deepEqual(await Promise.all([store, account]), ['merchant', undefined]);
});

test('of one client few keys wait, and further ones are refused unread; another client is next', async () => {
  const { ask, answer, reading } = givenLookUps();
  const lookUp = Array.from({ length: 200 }, (_, n) => ask(`guess ${n}`).catch((error) => error.code));
  const other = ask('theirs', 'b');
  await answer(undefined);
  assert.deepEqual(reading(), ['guess 1']);
  await answer(undefined);
  assert.deepEqual(reading(), ['theirs']);
  await answer('caller');
  assert.equal(await other, 'caller');
  while (reading().length > 0) await answer(undefined);
  const codes = await Promise.all(lookUp);
  assert.equal(codes.filter((code) => code === undefined).length, 101);
  assert.equal(codes.filter((code) => code === 'rate_limited').length, 99);
});

test('with the database away a key and an origin count as they did last, for an hour; unknown, revoked ones and sessions do not', async (t) => {
  let nowMs = 1000;
  t.mock.method(performance, 'now', () => nowMs);
  const lookUpKey = createLookUpKey();
  const away = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
  const broken = () => Promise.reject(new Error('our bug'));
  const kinds: readonly KeyKind[] = ['account', 'origin', 'store', 'session'];
  for (const kind of kinds) assert.equal(await lookUpKey(kind, 'valid', 'a', async () => 'caller'), 'caller');
  assert.equal(await lookUpKey('account', 'revoked', 'a', async () => 'caller'), 'caller');
  assert.equal(await lookUpKey('account', 'revoked', 'a', async () => undefined), undefined);
  for (const kind of ['account', 'origin'] as const) assert.equal(await lookUpKey(kind, 'valid', 'a', away), 'caller');
  for (const kind of ['store', 'session'] as const) {
    await assert.rejects(lookUpKey(kind, 'valid', 'a', away), { code: 'ECONNREFUSED' });
  }
  for (const key of ['revoked', 'unknown']) {
    await assert.rejects(lookUpKey('account', key, 'a', away), { code: 'ECONNREFUSED' });
  }
  await assert.rejects(lookUpKey('account', 'valid', 'a', broken), /our bug/);
  nowMs += 3_600_000;
  await assert.rejects(lookUpKey('account', 'valid', 'a', away), { code: 'ECONNREFUSED' });
});
