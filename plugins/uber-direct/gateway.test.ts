import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { inspect } from 'node:util';
import type { CourierGateway, CourierJob } from '../../src/fulfillment/deliveries/couriers/courier-gateway.ts';
import {
  awaitError,
  courierJob,
  farJob,
  keepsCourierContract,
  withName,
} from '../../test/contracts/courier-contract.ts';
import { readUberDocument } from '../../test/contracts/courier-document.ts';
import { startUberDouble, type UberTrouble } from '../../test/fakes/uber-direct-double.ts';
import { holdTimeOuts } from '../../test/time-outs.ts';
import { createUberDirect } from './gateway.ts';

const contract = readUberDocument();

let now = Temporal.Instant.from('2026-06-10T17:00:00Z');
const clock = { now: () => now };
const givenGateway = (customerId?: string, more: { clientSecret?: string } = {}): CourierGateway =>
  createUberDirect({
    clientId: 'client',
    clientSecret: uber.clientSecret,
    webhookSecret: uber.webhookSecret,
    customerId,
    clock,
    baseUrl: uber.baseUrl,
    tokenUrl: uber.tokenUrl,
    timeoutMs: 600_000,
    ...more,
  });
const uber = await startUberDouble(contract);
after(() => uber.close());

for (const customerId of [undefined, 'cus_1']) {
  describe(customerId ? 'an organization of an account' : 'an account', () => {
    test('Uber Direct keeps the contract of a courier gateway', (t) =>
      keepsCourierContract(t, {
        gateway: givenGateway(customerId),
        takesChanges: customerId !== undefined,
        notesOf: (key) => withName(uber.deliveryOf(key).dropoff_notes),
        tipOf: (key) => uber.deliveryOf(key).tip_by_customer,
        booksOf: (key) =>
          uber.books.deliveries
            .filter(({ external_id }) => external_id === key)
            .map(({ id, status }) => ({ deliveryId: id, isCanceled: status === 'canceled' })),
        loseAnswer: () => uber.trouble('create', 'lose_answer'),
        pickUp: (key) => void uber.move(key, 'pickup_complete', '2026-06-10T17:30:00Z'),
      }));

    test('every request and answer is as Uber publishes it', {
      skip: !contract && 'the document is absent',
    }, async () => {
      const gateway = givenGateway(customerId);
      const job = courierJob({ minAge: 21 });
      await gateway.quote(job);
      const made = await gateway.create(job, 'dqt_1');
      const deliveryId = made.kind === 'created' ? made.report.deliveryId : '';
      await gateway.find({ key: job.key, deliveryId });
      await gateway.cancel(deliveryId);
      assert.deepEqual(uber.faults, []);
    });
  });
}

test('a delivery says who, where, when and for how much in the forms that Uber asks for', async () => {
  const job = courierJob({ minAge: 21 });
  await givenGateway().create(job, 'dqt_7');
  const sent = uber.requests.at(-1)?.body ?? {};
  assert.deepEqual(JSON.parse(String(sent.dropoff_address)), {
    street_address: ['10 W 21st St', '4B'],
    city: 'New York',
    state: 'NY',
    zip_code: '10010',
    country: 'US',
  });
  const { pickup_phone_number, dropoff_phone_number, pickup_ready_dt, manifest_total_value, tip, quote_id } = sent;
  assert.deepEqual(
    [pickup_phone_number, dropoff_phone_number, pickup_ready_dt, manifest_total_value, tip, quote_id],
    ['+12125550123', '+12125550199', '2026-06-10T17:20:00Z', 2480, 300, 'dqt_7'],
  );
  assert.deepEqual([sent.idempotency_key, sent.external_id], [job.key, job.key]);
  assert.equal(sent.pickup_notes, 'Order A12. ring twice');
  assert.deepEqual(sent.dropoff_verification, { identification: { min_age: 21 } });
});

test('where it is handed over is an action of Uber; a customer who chose nothing has none', async () => {
  const actionFor = async (where: CourierJob['where']) => {
    await givenGateway().create(courierJob({ where }), null);
    return uber.requests.at(-1)?.body.deliverable_action;
  };
  assert.equal(await actionFor('leave_at_door'), 'deliverable_action_leave_at_door');
  for (const where of ['hand_to_me', 'meet_outside'] as const) {
    assert.equal(await actionFor(where), 'deliverable_action_meet_at_door');
  }
  assert.equal(await actionFor(null), undefined);
});

test('an address without parts is sent as one line, long notes are cut, and no age check is requested without alcohol', async () => {
  const job = courierJob();
  const address = { ...job.pickup.address, parts: undefined };
  const pickup = { ...job.pickup, address, phone: null, notes: '🍕'.repeat(400) };
  await givenGateway().create({ ...job, pickup }, null);
  const sent = uber.requests.at(-1)?.body ?? {};
  assert.equal(sent.pickup_address, '210 E 18th St, New York, NY 10003');
  assert.deepEqual([...String(sent.pickup_notes)].length, 280);
  assert.deepEqual(
    ['pickup_phone_number', 'quote_id', 'dropoff_verification'].filter((name) => name in sent),
    [],
  );
});

test('one token serves every call until shortly before it expires, and concurrent calls request it once', async () => {
  const gateway = givenGateway();
  const tokens = () => uber.requests.filter(({ operation }) => operation === 'token').length;
  const before = tokens();
  await Promise.all(Array.from({ length: 5 }, () => gateway.quote(courierJob())));
  assert.equal(tokens(), before + 1);
  now = now.add({ hours: 24 * 30 });
  await Promise.all(Array.from({ length: 5 }, () => gateway.quote(courierJob())));
  assert.equal(tokens(), before + 2);
  const tokenRequest = uber.requests.findLast(({ operation }) => operation === 'token')?.body;
  assert.deepEqual([tokenRequest?.grant_type, tokenRequest?.scope], ['client_credentials', 'eats.deliveries']);
});

test('concurrent calls renew a revoked token once; a second rejection is the account’s error', async () => {
  const gateway = givenGateway();
  await gateway.quote(courierJob());
  uber.revokeTokens();
  const from = uber.requests.length;
  await Promise.all(Array.from({ length: 3 }, () => gateway.quote(courierJob())));
  assert.equal(uber.requests.slice(from).filter(({ operation }) => operation === 'token').length, 1);
  uber.trouble('quote', 401, 401);
  assert.ok((await awaitError(gateway.quote(courierJob()))).retryable);
});

const UNKNOWN: [string, UberTrouble][] = [
  ['a lost answer', 'lose_answer'],
  ['a 408', 408],
  ['a 409 that names no delivery', 409],
  ['a 429', 429],
  ['a 500', 500],
  ['a 503 that is a page', { status: 503, text: '<h1>Unavailable</h1>' }],
  ['a 200 that is a page', { status: 200, text: '<h1>Sign in</h1>' }],
  ['a 200 that is a list', { status: 200, text: '[]' }],
  ['a 200 without members', { status: 200, text: '{}' }],
  ['a 200 of an unknown state', { status: 200, text: '{"id":"del_1","status":"levitating"}' }],
  ['a redirect', { status: 307, text: '', headers: { location: 'http://127.0.0.1:1/' } }],
  ['a refusal of the moment', { status: 400, text: '{"code":"couriers_busy"}' }],
  ['a refused payment of the account', { status: 402, text: '{"code":"missing_payment"}' }],
];
for (const [what, trouble] of UNKNOWN) {
  test(`${what} says neither that there is a delivery nor that there is none, and repeats nothing of a person`, async () => {
    const job = courierJob();
    const gateway = givenGateway();
    uber.trouble('create', trouble);
    const error = await awaitError(gateway.create(job, null));
    assert.ok(error.retryable, inspect(error));
    assert.equal(error.party, 'courier');
    assert.doesNotMatch(inspect(error, { depth: null, showHidden: true }), /Test Customer|21st|5550|token-|secret/);
    assert.equal((await gateway.create(job, null)).kind, 'created');
    assert.equal(uber.books.deliveries.filter(({ external_id }) => external_id === job.key).length, 1);
  });
}

test('a call without an answer ends at its time-out', async (t) => {
  const timeOuts = holdTimeOuts(t);
  uber.trouble('quote', 'hang');
  const quoted = awaitError(givenGateway().quote(courierJob()));
  await timeOuts.passUntilEnd(quoted);
  assert.ok((await quoted).retryable);
});

test('Retry-After is the wait of the next attempt, up to a bound', async () => {
  for (const [header, seconds] of [
    ['17', 17],
    ['86400', 900],
    ['Wed, 10 Jun 2026 18:00:00 GMT', undefined],
  ] as const) {
    uber.trouble('create', { status: 429, text: '{}', headers: { 'retry-after': header } });
    assert.equal((await awaitError(givenGateway().create(courierJob(), null))).retryAfterSeconds, seconds);
  }
});

test('an expired quote asks for another quote, and any other 4xx is a rejection with only Uber’s code', async () => {
  const gateway = givenGateway();
  for (const code of ['expired_quote', 'used_quote', 'mismatched_price_quote']) {
    uber.trouble('create', { status: 400, text: JSON.stringify({ code }) });
    assert.deepEqual(await gateway.create(courierJob(), 'dqt_0'), { kind: 'quote_expired' });
  }
  assert.deepEqual(await gateway.create(farJob(), null), { kind: 'refused', reason: 'address_undeliverable' });
  uber.trouble('create', { status: 422, text: JSON.stringify({ code: 'No: 10 W 21st St' }) });
  assert.deepEqual(await gateway.create(courierJob(), null), { kind: 'refused', reason: 'status_422' });
});

test('a 409 that points to the first delivery is that delivery, unless the delivery is of another key', async () => {
  uber.books.pointsToDuplicates = true;
  const job = courierJob();
  const gateway = givenGateway();
  const first = await gateway.create(job, null);
  const again = await gateway.create(job, null);
  assert.ok(first.kind === 'created' && again.kind === 'created');
  assert.equal(again.report.deliveryId, first.report.deliveryId);
  const metadata = { delivery_id: first.report.deliveryId };
  uber.trouble('create', { status: 409, text: JSON.stringify({ code: 'duplicate_delivery', metadata }) });
  assert.ok((await awaitError(gateway.create(courierJob(), null))).retryable);
  uber.books.pointsToDuplicates = false;
});

test('a cancelation without an answer, or with a conflict, is decided by a look at the delivery', async () => {
  const gateway = givenGateway();
  const job = courierJob();
  const made = await gateway.create(job, null);
  const deliveryId = made.kind === 'created' ? made.report.deliveryId : '';
  uber.trouble('cancel', 409);
  assert.ok((await awaitError(gateway.cancel(deliveryId))).retryable);
  uber.trouble('cancel', 'lose_answer');
  assert.ok((await awaitError(gateway.cancel(deliveryId))).retryable);
  assert.equal(await gateway.cancel(deliveryId), 'canceled');
  assert.equal(await gateway.cancel('del_none'), 'canceled');
});

test('wrong credentials are an error of the account that names no secret', async () => {
  const gateway = givenGateway(undefined, { clientSecret: 'not-the-secret' });
  const error = await awaitError(gateway.quote(courierJob()));
  assert.ok(error.retryable);
  assert.doesNotMatch(inspect(error, { depth: null, showHidden: true }), /not-the-secret/);
});
