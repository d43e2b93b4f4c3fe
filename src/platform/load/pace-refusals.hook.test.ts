import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Fastify from 'fastify';
import { runs } from '../../../test/runs.ts';
import type { Http } from '../http/http.ts';
import { acceptJson } from '../http/json-body.ts';
import { BURST, MAX_WAIT_MS, paceRefusals, RefusalPace } from './pace-refusals.hook.ts';

const PER_MINUTE = 6000;
const PER_SECOND = PER_MINUTE / 60;

test('a burst of refusals does not wait, and the next one does', () => {
  const pace = new RefusalPace(PER_MINUTE);
  const waits = Array.from({ length: BURST + 1 }, () => pace.waitMs('a', 5000));
  assert.ok(waits.slice(0, BURST).every((wait) => wait === 0));
  assert.equal(waits[BURST], 1000 / PER_SECOND);
  assert.equal(pace.waitMs('b', 5000), 0, 'another holder does not wait');
});

test('anyone who waits for each refusal gets no more than a burst and the pace', () => {
  const clients = fc.integer({ min: 1, max: 90 });
  fc.assert(
    fc.property(clients, fc.integer({ min: 0, max: 1e6 }), (connections, startMs) => {
      const pace = new RefusalPace(PER_MINUTE);
      const readyMs = new Array<number>(connections).fill(startMs);
      const endMs = startMs + 3000;
      let count = 0;
      for (;;) {
        const next = readyMs.indexOf(Math.min(...readyMs));
        const nowMs = readyMs[next] as number;
        if (nowMs >= endMs) break;
        const waitMs = pace.waitMs('flood', nowMs);
        assert.ok(waitMs >= 0 && waitMs <= MAX_WAIT_MS);
        readyMs[next] = nowMs + Math.max(waitMs, 0.1);
        count += 1;
      }
      assert.ok(
        count <= BURST + 3 * PER_SECOND + connections,
        `${count} refusals in 3 s on ${connections} connections`,
      );
    }),
    { numRuns: runs(50) },
  );
});

test('a client that is refused at the pace never waits, and a pause gives the whole burst back', () => {
  const pace = new RefusalPace(PER_MINUTE);
  for (let n = 0; n < 1000; n += 1) assert.equal(pace.waitMs('a', n * (1000 / PER_SECOND)), 0);
  for (let n = 0; n < 500; n += 1) pace.waitMs('a', 20_000);
  assert.equal(pace.waitMs('a', 20_000), MAX_WAIT_MS);
  assert.equal(pace.waitMs('a', 20_000 + MAX_WAIT_MS + BURST * (1000 / PER_SECOND)), 0);
});

test('a large body with a false signature uses the burst of a hundred refusals, and the next one waits', async () => {
  const http = Fastify({ bodyLimit: 2 ** 21 }) as unknown as Http;
  acceptJson(http);
  http.decorateRequest('holder', '192.0.2.1');
  paceRefusals(http, 600);
  http.post('/signed', { config: { rawBody: true } }, (_request, reply) => reply.code(401).send());
  http.get('/', async () => ({}));
  const sent: string[] = [];
  const refused = async (name: string, bytes: number) => {
    const headers = { 'content-type': 'application/json' };
    await http.inject({ method: 'POST', url: '/signed', headers, payload: Buffer.alloc(bytes, 'x') });
    sent.push(name);
  };
  await refused('a hundred small ones', 100 * 16 * 1024);
  const waiting = refused('a large one', 32 * 1024);
  await http.inject('/');
  sent.push('an answer');
  await waiting;
  assert.deepEqual(sent, ['a hundred small ones', 'an answer', 'a large one']);
});
