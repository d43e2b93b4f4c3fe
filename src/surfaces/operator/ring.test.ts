import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertTime, type OfferedOn } from './waiting.ts';

const OFFERED = Temporal.Instant.from('2026-06-10T20:00:00Z');
const offer = (changes: Partial<OfferedOn> = {}): OfferedOn => ({
  channel: 'email',
  state: 'waiting',
  lastError: null,
  failingSince: null,
  ...changes,
});
const secondsUntilRing = (offers: OfferedOn[], receivedAfter?: number) =>
  alertTime(offers, {
    offeredAt: OFFERED,
    receivedAt: receivedAfter === undefined ? null : OFFERED.add({ seconds: receivedAfter }),
  })
    ?.since(OFFERED)
    .total('seconds');

test('an order of the operator, and an order whose channel fails, ring at once', () => {
  assert.equal(secondsUntilRing([offer({ channel: 'operator' })], 0), 0);
  assert.equal(secondsUntilRing([offer({ lastError: 'no answer' }), offer({ channel: 'sms', state: 'sent' })], 2), 0);
  assert.equal(secondsUntilRing([offer({ failingSince: OFFERED })]), 0);
});

test('an undelivered order rings after 10 s, an unanswered one after 60 s', () => {
  assert.equal(secondsUntilRing([offer()]), 10);
  assert.equal(secondsUntilRing([]), 10);
  assert.equal(secondsUntilRing([offer({ state: 'sent' }), offer({ channel: 'sms' })], 3), 63);
});

test('an acknowledged order rings no more, whatever else fails', () => {
  assert.equal(
    secondsUntilRing([offer({ state: 'acknowledged' }), offer({ channel: 'sms', lastError: 'no answer' })], 1),
    undefined,
  );
});
