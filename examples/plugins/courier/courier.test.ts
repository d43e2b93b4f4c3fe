import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { courierJob, keepsCourierContract } from 'doorstep/plugin-testing';
import { createCourier } from './courier.ts';
import { KEY, startFakeCompany } from './fake-company.ts';

let company: Awaited<ReturnType<typeof startFakeCompany>>;
before(async () => {
  company = await startFakeCompany();
});
after(() => company.close());

const givenGateway = () => createCourier({ url: company.url, key: KEY });

test('the example keeps the contract of a courier company', async (t) => {
  const { deliveries } = company;
  await keepsCourierContract(t, {
    gateway: givenGateway(),
    takesChanges: true,
    notesOf: (key) => deliveries.get(key)?.to.notes,
    tipOf: (key) => deliveries.get(key)?.tip,
    booksOf: (key) => {
      const booked = deliveries.get(key);
      return booked ? [{ deliveryId: booked.id, isCanceled: booked.state === 'canceled' }] : [];
    },
    loseAnswer: () => company.loseAnswer(),
    pickUp: (key) => company.move(key, 'loaded'),
  });
});

test('a signed call is a report, of something else is none, and of an unknown state is unreadable', async () => {
  const gateway = givenGateway();
  const { key } = courierJob();
  await gateway.create(courierJob({ key }), null);
  company.move(key, 'done');
  const { headers, body } = company.report('ev_1', company.deliveries.get(key));
  const reading = gateway.readReport(headers, body);
  assert.ok(reading.kind === 'report');
  assert.deepEqual([reading.report.state, reading.report.key, reading.report.eventId], ['delivered', key, 'ev_1']);
  assert.deepEqual(gateway.readReport(headers, Buffer.concat([body, Buffer.from(' ')])), { kind: 'forged' });
  const kindOf = (delivery?: object) => {
    const call = company.report('ev_2', delivery);
    return gateway.readReport(call.headers, call.body).kind;
  };
  assert.equal(kindOf(), 'other');
  assert.equal(kindOf({ ...company.deliveries.get(key), state: 'lost' }), 'unreadable');
});
