import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type InFlightRequest,
  InFlightRequests,
  type JoinResult,
  MAX_REPEATS_PER_OWNER,
  MAX_REPEATS_PER_REQUEST,
} from './in-flight-requests.ts';

const ANSWER = { status: 200, contentType: 'application/json', body: '{}' };
const never = new AbortController().signal;

function join(
  inFlightRequests: InFlightRequests,
  id: string,
  deadline = never,
  owner = 'one',
  atMs = 0,
): Promise<JoinResult> {
  return Promise.resolve(inFlightRequests.join({ id, owner, atMs }, deadline));
}

async function startRequest(inFlightRequests: InFlightRequests, id: string): Promise<InFlightRequest> {
  const joined = await join(inFlightRequests, id);
  assert.ok(typeof joined === 'object' && 'inFlight' in joined, `${id} leads`);
  return joined.inFlight;
}

test('repetitions of a request get its outcome from memory, and the next request leads again', async () => {
  const inFlightRequests = new InFlightRequests();
  const inFlight = await startRequest(inFlightRequests, 'a');
  await startRequest(inFlightRequests, 'b');
  const repetitions = [join(inFlightRequests, 'a'), join(inFlightRequests, 'a')];
  inFlight.complete(ANSWER);
  inFlight.complete();
  assert.deepEqual(await Promise.all(repetitions), [{ outcome: ANSWER }, { outcome: ANSWER }]);
  await startRequest(inFlightRequests, 'a');
});

test('without an outcome one repetition after the other leads, and the hash is computed once for all of them', async () => {
  const inFlightRequests = new InFlightRequests();
  let computed = 0;
  const compute = async () => {
    computed += 1;
    return Buffer.from('hash');
  };
  let inFlight = await startRequest(inFlightRequests, 'a');
  const repetitions = [join(inFlightRequests, 'a'), join(inFlightRequests, 'a')];
  for (const repetition of repetitions) {
    await inFlight.fingerprint(compute);
    const before = inFlight;
    inFlight.complete();
    before.complete(ANSWER);
    const joined = await repetition;
    assert.ok(typeof joined === 'object' && 'inFlight' in joined);
    inFlight = joined.inFlight;
  }
  assert.equal((await inFlight.fingerprint(compute)).toString(), 'hash');
  assert.equal(computed, 1);
});

test('a hash that failed is computed again by the next', async () => {
  const inFlight = await startRequest(new InFlightRequests(), 'a');
  await assert.rejects(
    inFlight.fingerprint(async () => Promise.reject(new Error('no room'))),
    /no room/,
  );
  assert.equal((await inFlight.fingerprint(async () => Buffer.from('hash'))).toString(), 'hash');
});

test('a repetition waits until its deadline, and leaves the others waiting', async () => {
  const inFlightRequests = new InFlightRequests();
  const inFlight = await startRequest(inFlightRequests, 'a');
  const deadline = new AbortController();
  const [late, other] = [join(inFlightRequests, 'a', deadline.signal), join(inFlightRequests, 'a')];
  deadline.abort();
  assert.equal(await late, 'too late');
  inFlight.complete(ANSWER);
  assert.deepEqual(await other, { outcome: ANSWER });
  assert.equal(
    await join(inFlightRequests, 'a', AbortSignal.abort()).then((joined) => typeof joined),
    'object',
    'it may lead',
  );
});

test('a leader that is older than a claim may be is not waited for, and its end does not touch the next one', async () => {
  const inFlightRequests = new InFlightRequests();
  const old = await startRequest(inFlightRequests, 'a');
  const next = await join(inFlightRequests, 'a', never, 'one', 30_001);
  assert.ok(typeof next === 'object' && 'inFlight' in next);
  old.complete(ANSWER);
  const repetition = join(inFlightRequests, 'a', never, 'one', 30_002);
  next.inFlight.complete({ ...ANSWER, status: 201 });
  assert.deepEqual(await repetition, { outcome: { ...ANSWER, status: 201 } });
});

test('so many wait for one request, and so many of one account; another account waits all the same', async () => {
  const inFlightRequests = new InFlightRequests();
  const requestsByKey = new Map<string, InFlightRequest>();
  const waiting: Promise<JoinResult>[] = [];
  const requests = MAX_REPEATS_PER_OWNER / MAX_REPEATS_PER_REQUEST;
  for (let request = 0; request < requests; request += 1) {
    requestsByKey.set(String(request), await startRequest(inFlightRequests, String(request)));
    for (let n = 0; n < MAX_REPEATS_PER_REQUEST; n += 1) waiting.push(join(inFlightRequests, String(request)));
    assert.equal(await join(inFlightRequests, String(request)), 'too many');
  }
  await startRequest(inFlightRequests, 'more');
  assert.equal(await join(inFlightRequests, 'more'), 'too many', 'of the account');
  const neighbor = join(inFlightRequests, 'more', never, 'another');
  for (const inFlight of requestsByKey.values()) inFlight.complete(ANSWER);
  assert.equal((await Promise.all(waiting)).length, MAX_REPEATS_PER_OWNER);
  const again = join(inFlightRequests, 'more');
  assert.equal(await Promise.race([neighbor, again, 'waits']), 'waits', 'places are free again');
});
