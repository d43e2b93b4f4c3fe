import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeOf } from '../../../test/oracles/store-search.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { createTokenSealer } from '../../platform/lib/tokens.ts';
import { parseStoreLine } from '../imports/parse-store-line.ts';
import type { Store } from '../stores/store.ts';
import { MAX_SLOTS_PER_LIST, SlotList, type SlotListQuestion } from './slot-list.ts';

const tokens = createTokenSealer({ current: 'a secret of the tests', previous: [] });

function givenStore(scheduling: object): Store {
  const parsed = parseStoreLine({
    external_id: 'store-1',
    name: 'Brick Oven',
    type: 'restaurant',
    address: { street_addr: '120 5th Ave', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' },
    latitude: 40.7383,
    longitude: -73.9927,
    time_zone: 'America/New_York',
    hours: { operational: 'Mo-Su 10:00-22:00' },
    scheduling,
  });
  assert.ok(parsed.ok);
  const { profile } = parsed.store;
  return storeOf('0123456789abcdef01234567', { ...profile, hasCatalog: true });
}

/** The slot list at this moment: the cached one while it is valid, otherwise a new one. */
function slotListAt(question: SlotListQuestion, kept: SlotList | undefined): SlotList {
  if (kept?.isFresh(question)) return kept;
  const writing = SlotList.write(question, kept);
  for (;;) {
    const step = writing.next();
    if (step.done) return step.value;
  }
}

const NO_FEE = { flatCents: 0, percent: 0, taxable: false, thresholds: [] };

test('the kept list of slots equals a fresh list at every moment', () => {
  const store = givenStore({ enabled: true, slot_minutes: 15, lead_minutes: 20, days_ahead: 1 });
  const fullSets = [new Set<number>(), new Set([epochSeconds(Temporal.Instant.from('2026-11-01T18:00:00Z'))])];
  const fees = [NO_FEE, { ...NO_FEE, flatCents: 199, percent: 2.5, taxable: true }];
  let kept: SlotList | undefined;
  let renewals = 0;
  // Steps through the night when New York sets clocks back, both exactly on slot starts and off them.
  let now = Temporal.Instant.from('2026-10-31T12:00:00Z');
  for (let step = 0; step < 600; step += 1) {
    const fullStarts = fullSets[Math.floor(step / 100) % 2] ?? new Set<number>();
    const fee = fees[Math.floor(step / 50) % 2] ?? NO_FEE;
    const question = { store, storeVersion: 1, mode: 'delivery' as const, now, fullStarts, tokens };
    const next = slotListAt(question, kept);
    if (next !== kept) renewals += 1;
    kept = next;
    const fresh = slotListAt(question, undefined);
    assert.deepEqual(kept.slots, fresh.slots, String(now));
    assert.ok(kept.jsonWith(fee).bytes.equals(fresh.jsonWith(fee).bytes));
    if (step % 50 === 0 && kept.slots.length > 0)
      assert.deepEqual(JSON.parse(kept.jsonWith(fee).bytes.toString())[0].delivery_fee, {
        delivery_fee_flat: fee.flatCents,
        delivery_fee_percent: fee.percent,
        delivery_fee_taxable: fee.taxable,
      });
    now = now.add({ minutes: step % 7 === 0 ? 7 : 3 });
  }
  assert.ok(renewals < 200, `${renewals} renewals in 600 requests`);
});

test('a list ends at its bound with the earliest slots, is written in short steps, and as time passes reaches further', () => {
  const store = givenStore({ enabled: true, slot_minutes: 1, lead_minutes: 0, days_ahead: 365 });
  const now = Temporal.Instant.from('2026-06-10T17:00:00Z');
  const question = { store, storeVersion: 1, mode: 'delivery' as const, now, fullStarts: new Set<number>(), tokens };
  const steps = SlotList.write(question, undefined);
  let stepped = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) stepped += 1;
  const list = step.value;
  assert.equal(list.slots.length, MAX_SLOTS_PER_LIST);
  assert.ok(stepped >= MAX_SLOTS_PER_LIST / 100, `${stepped} interruptions`);
  assert.equal(list.slots[0]?.startEpochS, epochSeconds(now));
  assert.equal(JSON.parse(list.jsonWith(NO_FEE).bytes.toString()).length, MAX_SLOTS_PER_LIST);
  const later = slotListAt({ ...question, now: now.add({ hours: 1 }) }, list);
  assert.equal(later.slots.length, MAX_SLOTS_PER_LIST);
  assert.equal(later.slots[0]?.startEpochS, (list.slots[0]?.startEpochS ?? 0) + 3600);
  const otherFee = list.jsonWith({ ...NO_FEE, flatCents: 1 });
  assert.equal(JSON.parse(otherFee.bytes.toString()).length, MAX_SLOTS_PER_LIST);
});
