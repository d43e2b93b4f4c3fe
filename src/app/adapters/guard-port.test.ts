import assert from 'node:assert/strict';
import { test } from 'node:test';
import { courierJob } from '../../../test/contracts/courier-contract.ts';
import bike from '../../../test/plugins/bike.ts';
import type { CourierGateway } from '../../fulfillment/deliveries/couriers/courier-gateway.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { COURIER, guardPort, requireOperations } from './guard-port.ts';

const AT = Temporal.Instant.from('2026-06-10T17:00:00Z');

/** The courier of a plug-in, with broken operations in place of its own. */
async function givenCourier(broken: object = {}): Promise<CourierGateway> {
  const context = { settings: { secret: 'bike-secret' }, clock: { now: () => AT }, baseUrl: '', url: undefined };
  const log = { error: () => {}, warn: () => {}, info: () => {} };
  const port = await bike.couriers?.[0]?.open({ ...context, log, partyUrls: {} });
  assert.ok(port);
  return guardPort({ party: 'courier', who: 'bike' }, { ...port, ...broken }, COURIER);
}

const isOutside = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof OutsideError, String(error));
  assert.deepEqual([error.party, error.retryable], ['courier', true]);
  assert.match(error.message, message);
  return true;
};

test('an adapter that keeps its port answers as it does without a guard', async () => {
  const gateway = await givenCourier();
  const job = courierJob();
  const created = await gateway.create(job, null);
  assert.equal(created.kind, 'created');
  assert.equal((await gateway.find({ key: job.key, deliveryId: null })).kind, 'found');
  assert.equal(gateway.readReport({ authorization: 'someone' }, Buffer.from('{}')).kind, 'forged');
});

test('an operation that throws, at once or later, is an outside error of its party', async () => {
  const fail = () => {
    throw new TypeError('undefined is not a function');
  };
  const gateway = await givenCourier({ quote: fail, cancel: async () => fail(), readReport: fail });
  await assert.rejects(gateway.quote(courierJob()), isOutside(/^bike: quote failed\.$/));
  await assert.rejects(gateway.cancel('bike-1'), isOutside(/^bike: cancel failed\.$/));
  assert.throws(() => gateway.readReport({}, Buffer.from('')), isOutside(/^bike: readReport failed\.$/));
});

test('an outside error and a refusal of the port pass as they are', async () => {
  const outside = new OutsideError('courier', 'closed', { retryable: false });
  const refusal = new Refusal('invalid_request', 'unsigned');
  const raise = (error: Error) => () => {
    throw error;
  };
  const gateway = await givenCourier({ quote: raise(outside), readReport: raise(refusal) });
  await assert.rejects(gateway.quote(courierJob()), (error) => error === outside);
  assert.throws(() => gateway.readReport({}, Buffer.from('')), refusal);
});

test('the operations that an adapter lacks are named', () => {
  assert.throws(
    () => requireOperations('courier bike', { quote: () => {}, cancel: 1 } as never, COURIER),
    new ConfigError(['The courier bike has no create, find, cancel, update, raiseTip, readReport.']),
  );
});
