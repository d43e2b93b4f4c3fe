import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createIdempotencyFlights,
  type Flight,
  type IdempotencyFlights,
  type Joined,
  MAX_WAITING_OF_OWNER,
  MAX_WAITING_OF_REQUEST,
} from './idempotency-flights.ts';

const ANSWER = { status: 200, contentType: 'application/json', body: '{}' };
const never = new AbortController().signal;

function join(flights: IdempotencyFlights, id: string, deadline = never, owner = 'one', atMs = 0): Promise<Joined> {
  return Promise.resolve(flights.join({ id, owner, atMs }, deadline));
}

async function lead(flights: IdempotencyFlights, id: string): Promise<Flight> {
  const joined = await join(flights, id);
  assert.ok(typeof joined === 'object' && 'flight' in joined, `${id} leads`);
  return joined.flight;
}

test('repetitions of a request get its outcome from memory, and the next request leads again', async () => {
  const flights = createIdempotencyFlights();
  const flight = await lead(flights, 'a');
  await lead(flights, 'b');
  const repetitions = [join(flights, 'a'), join(flights, 'a')];
  flight.end(ANSWER);
  flight.end();
  assert.deepEqual(await Promise.all(repetitions), [{ outcome: ANSWER }, { outcome: ANSWER }]);
  await lead(flights, 'a');
});

test('without an outcome one repetition after the other leads, and the hash is computed once for all of them', async () => {
  const flights = createIdempotencyFlights();
  let computed = 0;
  const compute = async () => {
    computed += 1;
    return Buffer.from('hash');
  };
  let flight = await lead(flights, 'a');
  const repetitions = [join(flights, 'a'), join(flights, 'a')];
  for (const repetition of repetitions) {
    await flight.fingerprint(compute);
    const before = flight;
    flight.end();
    before.end(ANSWER);
    const joined = await repetition;
    assert.ok(typeof joined === 'object' && 'flight' in joined);
    flight = joined.flight;
  }
  assert.equal((await flight.fingerprint(compute)).toString(), 'hash');
  assert.equal(computed, 1);
});

test('a hash that failed is computed again by the next', async () => {
  const flight = await lead(createIdempotencyFlights(), 'a');
  await assert.rejects(
    flight.fingerprint(async () => Promise.reject(new Error('no room'))),
    /no room/,
  );
  assert.equal((await flight.fingerprint(async () => Buffer.from('hash'))).toString(), 'hash');
});

test('a repetition waits until its deadline, and leaves the others waiting', async () => {
  const flights = createIdempotencyFlights();
  const flight = await lead(flights, 'a');
  const deadline = new AbortController();
  const [late, other] = [join(flights, 'a', deadline.signal), join(flights, 'a')];
  deadline.abort();
  assert.equal(await late, 'too late');
  flight.end(ANSWER);
  assert.deepEqual(await other, { outcome: ANSWER });
  assert.equal(await join(flights, 'a', AbortSignal.abort()).then((joined) => typeof joined), 'object', 'it may lead');
});

test('a leader that is older than a claim may be is not waited for, and its end does not touch the next flight', async () => {
  const flights = createIdempotencyFlights();
  const old = await lead(flights, 'a');
  const next = await join(flights, 'a', never, 'one', 30_001);
  assert.ok(typeof next === 'object' && 'flight' in next);
  old.end(ANSWER);
  const repetition = join(flights, 'a', never, 'one', 30_002);
  next.flight.end({ ...ANSWER, status: 201 });
  assert.deepEqual(await repetition, { outcome: { ...ANSWER, status: 201 } });
});

test('so many wait for one request, and so many of one account; another account waits all the same', async () => {
  const flights = createIdempotencyFlights();
  const flightsOf = new Map<string, Flight>();
  const waiting: Promise<Joined>[] = [];
  const requests = MAX_WAITING_OF_OWNER / MAX_WAITING_OF_REQUEST;
  for (let request = 0; request < requests; request += 1) {
    flightsOf.set(String(request), await lead(flights, String(request)));
    for (let n = 0; n < MAX_WAITING_OF_REQUEST; n += 1) waiting.push(join(flights, String(request)));
    assert.equal(await join(flights, String(request)), 'too many');
  }
  await lead(flights, 'more');
  assert.equal(await join(flights, 'more'), 'too many', 'of the account');
  const neighbour = join(flights, 'more', never, 'another');
  for (const flight of flightsOf.values()) flight.end(ANSWER);
  assert.equal((await Promise.all(waiting)).length, MAX_WAITING_OF_OWNER);
  const again = join(flights, 'more');
  assert.equal(await Promise.race([neighbour, again, 'waits']), 'waits', 'places are free again');
});
