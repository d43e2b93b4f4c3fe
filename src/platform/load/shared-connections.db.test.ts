import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { nextTurn } from '../../../test/until.ts';
import { shareConnections } from './shared-connections.db.ts';

const MAX = 3;

/** A pool that counts its loans and the clients on loan, by owner. */
function givenPool({ fails = false } = {}) {
  let lent = 0;
  let most = 0;
  const pool = {
    options: { max: MAX },
    async connect() {
      if (fails) throw new Error('no server');
      lent += 1;
      most = Math.max(most, lent);
      return { release: () => (lent -= 1) };
    },
    async end() {},
  } as unknown as pg.Pool;
  let owner = '';
  const shared = shareConnections(pool, { ownerNow: () => owner, maxOfOwner: 2 });
  const got: { name: string; release: () => void }[] = [];
  return {
    got: () => got.map(({ name }) => name),
    release: async (name: string) => {
      got.find((one) => one.name === name)?.release();
      await nextTurn();
    },
    ask: async (name: string) => {
      owner = name[0] as string;
      const client = await shared.connect();
      got.push({ name, release: () => client.release() });
    },
    lent: () => lent,
    most: () => most,
  };
}

test('an owner with many statements leaves a connection to others, and owners take turns for the next', async () => {
  const { got, release, ask, lent, most } = givenPool();
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map(ask);
  await nextTurn();
  assert.deepEqual(got(), ['a1', 'a2']);
  all.push(...['b1', 'b2', 'c1'].map(ask));
  await nextTurn();
  assert.deepEqual(got(), ['a1', 'a2', 'b1']);
  for (const name of ['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'a4', 'a5']) await release(name);
  await Promise.all(all);
  assert.deepEqual(got(), ['a1', 'a2', 'b1', 'a3', 'b2', 'c1', 'a4', 'a5']);
  assert.deepEqual([lent(), most()], [0, MAX]);
});

test('a failed connection fails only its own statement, and takes no slot', async () => {
  const { ask } = givenPool({ fails: true });
  for (let n = 0; n < MAX + 1; n += 1) await assert.rejects(ask(`a${n}`), /no server/);
});

test('a statement that waits ten seconds for a connection fails as the pool lets it, and is not run later', async (t) => {
  const { got, ask, release, lent } = givenPool();
  const first = [ask('a1'), ask('a2')];
  await nextTurn();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const late = ask('a3');
  t.mock.timers.tick(10_000);
  await assert.rejects(late, /timeout exceeded when trying to connect/);
  await release('a1');
  await release('a2');
  await Promise.all(first);
  assert.deepEqual([got(), lent()], [['a1', 'a2'], 0]);
  await ask('a4');
  assert.equal(got().at(-1), 'a4');
});
