import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { inspect } from 'node:util';
import type { CourierGateway, CourierJob } from '../../src/fulfillment/deliveries/couriers/courier-gateway.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { randomId } from '../../src/platform/lib/random-id.ts';

/** A delivery in the books of the double of the company's API. */
export type BookedDelivery = { deliveryId: string; isCanceled: boolean };
export type CourierSubject = {
  gateway: CourierGateway;
  /** Whether the company takes changed notes and a raised tip. */
  takesChanges: boolean;
  /** The notes that the company has for the customer's door. */
  notesOf(key: string): unknown;
  /** The whole tip that the company has, in cents. */
  tipOf(key: string): unknown;
  /** The company's deliveries of a job. Its API must refuse a door at `1 Far Street`. */
  booksOf(key: string): BookedDelivery[];
  /** Drops the response to the next call that creates a delivery, after the delivery is created. */
  loseAnswer(): void;
  /** The courier picks up the order at the store. */
  pickUp(key: string): void;
};

/** The error of a call to a company that fails. */
export async function awaitError(work: Promise<unknown>): Promise<OutsideError> {
  const error: unknown = await work.then(
    () => assert.fail('must fail'),
    (reason) => reason,
  );
  assert.ok(error instanceof OutsideError, inspect(error));
  return error;
}

/** Changed notes have the name and the apartment, which the company takes no further changes of. */
export function withName(notes: unknown): unknown {
  assert.match(String(notes), /For Test Customer\. 4B\./);
  return notes;
}

const STORE = { lines: ['210 E 18th St'], city: 'New York', state: 'NY', postalCode: '10003', country: 'US' as const };
const DOOR = { ...STORE, lines: ['10 W 21st St', '4B'], postalCode: '10010' };

/** A job as created for an order; `changes` override its members. */
export function courierJob(changes: Partial<CourierJob> = {}): CourierJob {
  const key = randomId('ord_', 6).toLowerCase();
  return {
    key,
    reference: 'A12',
    valueCents: 2480,
    tipCents: 300,
    currency: 'usd',
    minAge: null,
    where: null,
    pickup: {
      name: 'Pizzeria',
      phone: 12125550123,
      notes: 'ring twice',
      address: { text: '210 E 18th St, New York, NY 10003', parts: STORE, latitude: 40.7359, longitude: -73.986 },
    },
    dropoff: {
      name: 'Test Customer',
      phone: 12125550199,
      notes: 'gate code 7531',
      address: { text: '10 W 21st St, 4B, New York, NY 10010', parts: DOOR, latitude: 40.7403, longitude: -73.991 },
    },
    items: [{ name: 'Margherita', quantity: 2 }],
    readyAt: Temporal.Instant.from('2026-06-10T17:20:00Z'),
    ...changes,
  };
}

/** A door that the fake's couriers refuse. */
export function farJob(): CourierJob {
  const job = courierJob();
  const parts = { ...DOOR, lines: ['1 Far Street'] };
  return { ...job, dropoff: { ...job.dropoff, address: { ...job.dropoff.address, text: '1 Far Street', parts } } };
}

/** The port's contract, for every gateway and every fake. */
export async function keepsCourierContract(t: TestContext, subject: CourierSubject): Promise<void> {
  const { gateway, booksOf } = subject;
  const make = async (job: CourierJob) => {
    const quoted = await gateway.quote(job);
    assert.equal(quoted.kind, 'quoted');
    const answer = await gateway.create(job, quoted.kind === 'quoted' ? quoted.quote.quoteId : null);
    assert.equal(answer.kind, 'created');
    return answer.kind === 'created' ? answer.report : assert.fail();
  };

  await t.test('a quote is priced in cents', async () => {
    const answer = await gateway.quote(courierJob());
    assert.ok(answer.kind === 'quoted');
    assert.ok(Number.isSafeInteger(answer.quote.feeCents) && answer.quote.currency === 'usd');
  });

  await t.test(
    'a delivery repeated with its key is made once and answered alike, with a quote and without',
    async () => {
      const job = courierJob();
      const first = await make(job);
      assert.deepEqual([first.state, first.key], ['pending', job.key]);
      const again = await gateway.create(job, null);
      assert.equal(again.kind === 'created' && again.report.deliveryId, first.deliveryId);
      assert.equal(booksOf(job.key).length, 1);
      const found = await gateway.find({ key: job.key, deliveryId: first.deliveryId });
      assert.equal(found.kind === 'found' && found.report.deliveryId, first.deliveryId);
    },
  );

  await t.test('deliveries racing under one key are one delivery', async () => {
    const job = courierJob();
    await Promise.all(Array.from({ length: 6 }, () => gateway.create(job, null)));
    assert.equal(booksOf(job.key).length, 1);
  });

  await t.test('a delivery with a lost answer exists, and a retry finds it', async () => {
    const job = courierJob();
    subject.loseAnswer();
    await assert.rejects(gateway.create(job, null), (error) => error instanceof OutsideError && error.retryable);
    const again = await gateway.create(job, null);
    assert.equal(again.kind === 'created' && again.report.deliveryId, booksOf(job.key)[0]?.deliveryId);
    assert.equal(booksOf(job.key).length, 1);
  });

  await t.test("a door outside the courier's range is refused, by the quote and by the delivery", async () => {
    const job = farJob();
    const refusals = [await gateway.quote(job), await gateway.create(job, null)];
    for (const refusal of refusals) assert.equal(refusal.kind, 'refused');
    assert.deepEqual(booksOf(job.key), []);
  });

  await t.test('a delivery is canceled until the courier has the order, and canceled again without harm', async () => {
    const job = courierJob();
    const { deliveryId } = await make(job);
    assert.equal(await gateway.cancel(deliveryId), 'canceled');
    assert.equal(await gateway.cancel(deliveryId), 'canceled');
    assert.deepEqual(booksOf(job.key), [{ deliveryId, isCanceled: true }]);
    const late = courierJob();
    const taken = await make(late);
    subject.pickUp(late.key);
    assert.equal(await gateway.cancel(taken.deliveryId), 'too_late');
    assert.deepEqual(booksOf(late.key), [{ deliveryId: taken.deliveryId, isCanceled: false }]);
  });

  await t.test('a courier learns of changed notes until it has the order, if its company takes them', async () => {
    const job = courierJob();
    const { deliveryId } = await make(job);
    const dropoff = { ...job.dropoff, phone: 12125550142, notes: 'Side door' };
    const answer = await gateway.update(deliveryId, { ...job, dropoff });
    assert.equal(answer, subject.takesChanges ? 'updated' : 'not_updated');
    if (subject.takesChanges) assert.match(String(subject.notesOf(job.key)), /Side door/);
    subject.pickUp(job.key);
    assert.equal(await gateway.update(deliveryId, job), 'not_updated');
    assert.equal(await gateway.update('none', job), 'not_updated');
  });

  await t.test('a raised tip reaches the courier on the way too, if its company takes it', async () => {
    const job = courierJob();
    const { deliveryId } = await make(job);
    const taken = subject.takesChanges ? 'updated' : 'not_updated';
    assert.equal(await gateway.raiseTip(deliveryId, 500), taken);
    subject.pickUp(job.key);
    assert.equal(await gateway.raiseTip(deliveryId, 900), taken);
    if (subject.takesChanges) assert.equal(subject.tipOf(job.key), 900);
    assert.equal(await gateway.raiseTip('none', 900), 'not_updated');
  });

  await t.test('a call that does not prove who sent it is forged, whatever it says', () => {
    for (const body of ['', '{}', '[', '{"status":"delivered"}'])
      assert.deepEqual(gateway.readReport({}, Buffer.from(body)), { kind: 'forged' });
  });

  await t.test('a delivery that the gateway does not have is found nowhere', async () => {
    const found = await gateway.find({ key: 'ord_none', deliveryId: 'none' });
    assert.equal(found.kind, 'none');
  });
}
