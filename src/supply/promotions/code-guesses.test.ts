import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { AMOUNT_5, type GivenPromotion, givenPromotion } from '../../../test/given/promotions.ts';
import { type App, givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { CodeGuesses } from './code-guesses.flow.ts';

let app: App;
before(async () => {
  app = await givenApp();
  const { db } = app.service.deps;
  const { accountId } = app;
  const given = (changes: Omit<GivenPromotion, 'terms'>) => givenPromotion(db, { terms: AMOUNT_5, ...changes });
  await given({ code: 'RIGHT' });
  await given({ code: 'ENDED', endsEpochS: 1 });
  await given({ code: 'NOT-YET', startsEpochS: 4_000_000_000 });
  await given({ code: 'PICKUP-ONLY', mode: 'pickup' });
  await given({ code: 'SANDBOX', offeredBy: 'account', ownerId: `${accountId} sandbox` });
  await given({ code: 'FOREIGN', offeredBy: 'account', ownerId: 'acc_other' });
});
after(() => app.close());

const EXISTING = ['RIGHT', 'ENDED', 'NOT-YET', 'PICKUP-ONLY', 'SANDBOX'];
const MISSING = ['FOREIGN', ...Array.from({ length: 8 }, (_, nth) => `MISPRINT-${nth}`)];
const LIMIT = 4;
let keys = 0;

test('a key is limited by distinct codes that do not exist, on all nodes, and keeps codes that exist', async () => {
  const { db, clock } = app.service.deps;
  const nodes = [new CodeGuesses({ db, clock }), new CodeGuesses({ db, clock })];
  const entered = fc.record({ node: fc.nat(1), codes: fc.subarray([...EXISTING, ...MISSING], { maxLength: 3 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(entered, { maxLength: 25 }), async (requests) => {
      keys += 1;
      const guessers = [{ name: `key ${keys}`, limit: LIMIT, isKey: true }] as const;
      const counted = new Set<string>();
      for (const { node, codes } of requests) {
        const missing = codes.filter((code) => MISSING.includes(code));
        const isOver = missing.length > 0 && counted.size >= LIMIT;
        const trying = nodes[node]?.try(
          { accountId: app.accountId, guessers },
          codes,
          async () => 'answer',
          () => codes.filter((code) => code !== 'RIGHT'),
        );
        const outcome = await trying?.catch((error: unknown) => (error instanceof Refusal ? error.code : error));
        assert.equal(outcome, isOver ? 'rate_limited' : 'answer', JSON.stringify({ codes, counted: [...counted] }));
        if (!isOver) for (const code of missing) counted.add(code);
      }
    }),
    { numRuns: runs(100, 20) },
  );
});

test('a person over the limit waits for every code, and an hour later has none against them', async () => {
  const { db, clock } = app.service.deps;
  const guesses = new CodeGuesses({ db, clock });
  const guessers = [{ name: 'user live h', limit: LIMIT }];
  const enter = (code: string) =>
    guesses
      .try(
        { accountId: app.accountId, guessers },
        [code],
        async () => 200,
        () => [code],
      )
      .catch(({ code }) => code);
  for (let nth = 0; nth < LIMIT; nth += 1) assert.equal(await enter(`WRONG-${nth}`), 200);
  assert.deepEqual([await enter('WRONG-0'), await enter('RIGHT')], ['rate_limited', 'rate_limited']);
  await app.advance({ minutes: 61 });
  assert.equal(await enter('RIGHT'), 200);
});
