import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { inspect } from 'node:util';
import type { CourierJob } from '../../src/fulfillment/deliveries/couriers/courier-gateway.ts';
import {
  awaitError,
  courierJob,
  farJob,
  keepsCourierContract,
  withName,
} from '../../test/contracts/courier-contract.ts';
import { readDoorDashDocument } from '../../test/contracts/courier-document.ts';
import { type DoorDashTrouble, startDoorDashDouble } from '../../test/fakes/doordash-double.ts';
import { holdTimeOuts } from '../../test/time-outs.ts';
import { createDoorDashDrive, type DoorDashOptions } from './gateway.ts';

const document = readDoorDashDocument();
const now = Temporal.Instant.from('2026-06-10T17:00:00Z');
const clock = { now: () => now };

const doordash = await startDoorDashDouble(document, clock.now);
after(() => doordash.close());
beforeEach(() => doordash.refuseDuplicates(true));

const givenGateway = (more: Partial<DoorDashOptions> = {}) =>
  createDoorDashDrive({ ...doordash.account, clock, baseUrl: doordash.baseUrl, timeoutMs: 600_000, ...more });
const readBooks = (key: string) =>
  doordash.deliveries
    .filter(({ external_delivery_id }) => external_delivery_id === key)
    .map((one) => ({ deliveryId: one.external_delivery_id, isCanceled: one.delivery_status === 'cancelled' }));

for (const refuses of [true, false]) {
  const answer = refuses ? 'a 409' : 'the first delivery';
  test(`DoorDash Drive keeps the contract of a courier gateway where a repetition is answered by ${answer}`, (t) => {
    doordash.refuseDuplicates(refuses);
    return keepsCourierContract(t, {
      gateway: givenGateway(),
      booksOf: readBooks,
      takesChanges: true,
      notesOf: (key) =>
        withName(doordash.deliveries.find((one) => one.external_delivery_id === key)?.dropoff_instructions),
      tipOf: (key) => doordash.deliveries.find((one) => one.external_delivery_id === key)?.tip,
      loseAnswer: () => doordash.trouble('create', 'lose_answer'),
      pickUp: (key) => void doordash.move(key, 'picked_up', '2026-06-10T17:30:00Z'),
    });
  });
}

test('every request and answer is as DoorDash publishes it', { skip: !document && 'the document is absent' }, () => {
  const operations = new Set(doordash.requests.map(({ operation }) => operation));
  assert.deepEqual([operations.size, doordash.faults], [5, []]);
});

test('a delivery says who, where, when and for how much in the forms that DoorDash asks for', async () => {
  const job = courierJob({ minAge: 21 });
  await givenGateway().create(job, 'any quote');
  assert.deepEqual(doordash.requests.at(-1)?.body, {
    external_delivery_id: job.key,
    pickup_address: '210 E 18th St, New York, NY 10003',
    pickup_business_name: 'Pizzeria',
    pickup_phone_number: '+12125550123',
    pickup_instructions: 'ring twice',
    pickup_reference_tag: 'A12',
    pickup_time: '2026-06-10T17:20:00Z',
    dropoff_address: '10 W 21st St, 4B, New York, NY 10010',
    dropoff_contact_given_name: 'Test Customer',
    dropoff_phone_number: '+12125550199',
    dropoff_instructions: 'gate code 7531',
    order_value: 2480,
    tip: 300,
    items: [{ name: 'Margherita', quantity: 2 }],
    contains_alcohol: true,
  });
});

test('leaving the order at the door is a contactless drop-off of DoorDash; who chose nothing has no say', async () => {
  const sentFor = async (where: CourierJob['where']) => {
    await givenGateway().create(courierJob({ where }), null);
    return doordash.requests.at(-1)?.body.contactless_dropoff;
  };
  assert.deepEqual(
    [await sentFor('leave_at_door'), await sentFor('hand_to_me'), await sentFor('meet_outside'), await sentFor(null)],
    [true, false, false, undefined],
  );
});

test('an order that is ready is picked up at once, and a missing phone number is left out', async () => {
  const job = courierJob({ readyAt: now });
  await givenGateway().create({ ...job, pickup: { ...job.pickup, phone: null } }, null);
  const sent = doordash.requests.at(-1)?.body ?? {};
  assert.deepEqual(
    ['pickup_time', 'pickup_phone_number'].filter((name) => name in sent),
    [],
  );
  assert.equal(sent.contains_alcohol, false);
});

test('a quote is in cents; it can be repeated, and leaves the key to the delivery', async () => {
  const job = courierJob();
  const gateway = givenGateway();
  const quotes = [await gateway.quote(job), await gateway.quote(job)];
  const ids = quotes.map((answer) => {
    assert.ok(answer.kind === 'quoted');
    const { quoteId, ...quote } = answer.quote;
    assert.deepEqual(quote, { feeCents: 975, currency: 'usd' });
    return quoteId;
  });
  assert.equal(new Set([...ids, job.key]).size, 3);
  assert.equal((await gateway.create(job, ids[0] ?? null)).kind, 'created');
});

test('a fee with fractional cents is not a quote', async () => {
  for (const fee of [9.75, -1, '975', null, 1e300]) {
    const text = JSON.stringify({ external_delivery_id: 'q', fee, currency: 'USD' });
    doordash.trouble('quote', { status: 200, text });
    assert.ok((await awaitError(givenGateway().quote(courierJob()))).retryable);
  }
});

const UNKNOWN: [string, DoorDashTrouble][] = [
  ['a lost answer', 'lose_answer'],
  ['a 408', 408],
  ['a 409 without a delivery', 409],
  ['a 429', 429],
  ['a 500', 500],
  ['a refused token', 401],
  ['a refused payment of the account', 402],
  ['a 503 that is a page', { status: 503, text: '<h1>Unavailable</h1>' }],
  ['a 200 that is a page', { status: 200, text: '<h1>Sign in</h1>' }],
  ['a 200 that is a list', { status: 200, text: '[]' }],
  ['a 200 without members', { status: 200, text: '{}' }],
  ['a 200 of an unknown state', { status: 200, text: '{"external_delivery_id":"x","delivery_status":"levitating"}' }],
  ['a redirect', { status: 307, text: '', headers: { location: 'http://127.0.0.1:1/' } }],
];
for (const [what, trouble] of UNKNOWN) {
  test(`${what} says neither that there is a delivery nor that there is none, and repeats nothing of a person`, async () => {
    const job = courierJob();
    const gateway = givenGateway();
    doordash.trouble('create', trouble);
    const error = await awaitError(gateway.create(job, null));
    assert.ok(error.retryable, inspect(error));
    assert.equal(error.party, 'courier');
    const shown = inspect(error, { depth: null, showHidden: true });
    assert.doesNotMatch(shown, /Test Customer|21st|5550|eyJ|secret/);
    assert.equal((await gateway.create(job, null)).kind, 'created');
    assert.equal(readBooks(job.key).length, 1);
  });
}

test('a call without an answer ends at its time-out', async (t) => {
  const timeOuts = holdTimeOuts(t);
  doordash.trouble('quote', 'hang');
  const quoted = awaitError(givenGateway().quote(courierJob()));
  await timeOuts.passUntilEnd(quoted);
  assert.ok((await quoted).retryable);
});

test('any other 4xx is a rejection with only DoorDash’s code', async () => {
  const gateway = givenGateway();
  assert.deepEqual(await gateway.create(farJob(), null), { kind: 'refused', reason: 'address_out_of_coverage' });
  doordash.trouble('quote', { status: 400, text: JSON.stringify({ code: 'No: 10 W 21st St' }) });
  assert.deepEqual(await gateway.quote(courierJob()), { kind: 'refused', reason: 'status_400' });
});

test('a delivery whose answer is lost is found by its key alone', async () => {
  const job = courierJob();
  doordash.trouble('create', 'lose_answer');
  await awaitError(givenGateway().create(job, null));
  const found = await givenGateway().find({ key: job.key, deliveryId: null });
  assert.equal(found.kind === 'found' && found.report.state, 'pending');
});

test('a rejected cancellation is decided by the delivery’s state', async () => {
  const gateway = givenGateway();
  const job = courierJob();
  await gateway.create(job, null);
  doordash.trouble('cancel', 409);
  assert.ok((await awaitError(gateway.cancel(job.key))).retryable);
  doordash.move(job.key, 'confirmed', '2026-06-10T17:05:00Z');
  assert.equal(await gateway.cancel(job.key), 'too_late');
  assert.equal(await gateway.cancel('none/../x?y'), 'canceled');
});

test('wrong credentials are an error of the account that names no secret', async () => {
  const signingSecret = Buffer.from('not-the-secret').toString('base64url');
  for (const wrong of [{ signingSecret }, { keyId: 'other' }, { developerId: 'other' }]) {
    const error = await awaitError(givenGateway(wrong).quote(courierJob()));
    assert.ok(error.retryable);
    assert.doesNotMatch(
      inspect(error, { depth: null, showHidden: true }),
      new RegExp(`not-the-secret|${signingSecret}`),
    );
  }
});
