import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/runs.ts';
import { actionInWords } from './action-words.ts';
import type { OrderDay } from './api.ts';
import { foldDays, momentInWords } from './words.ts';

const dayOf = (orders: number, n: number): OrderDay => ({
  day: `2026-06-${String(n + 1).padStart(2, '0')}`,
  orders,
  canceled: 0,
  sales: orders * 1000,
  refunded: 0,
  confirm_seconds: null,
});

test('days without an order fold into one row, every other day has its own, and none is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 2 }), { maxLength: 30 }), (counts) => {
      const days = counts.map(dayOf);
      const rows = foldDays(days);
      const shown = rows.flatMap(({ first, last }) => days.slice(days.indexOf(first), days.indexOf(last) + 1));
      assert.deepEqual(shown, days);
      for (const [at, { first, last }] of rows.entries()) {
        if (first !== last) assert.equal(first.orders + last.orders, 0);
        assert.ok(at === 0 || first.orders > 0 || (rows[at - 1]?.last.orders ?? 0) > 0, 'two rows without an order');
      }
    }),
    { numRuns: runs(300) },
  );
  assert.equal(foldDays(Array.from({ length: 30 }, (_, n) => dayOf(0, n))).length, 1);
});

test('a time in a list shows a zone and no seconds, and its day unless it is today', () => {
  const moment = Date.parse('2026-06-10T22:18:37Z') / 1000;
  const zone = /^\d\d:18 \S+$/;
  assert.match(momentInWords(moment, moment + 60), zone);
  assert.match(momentInWords(moment, moment + 3 * 86_400), /^Jun 1[01], \d\d:18 \S+$/);
});

test('the history names the person concerned, or an unnamed object’s ID', () => {
  const invited = { action: 'store.invite', target: 'dd2c' } as const;
  assert.equal(actionInWords({ ...invited, target_name: 'Corner Noodle House' }), 'Invited Corner Noodle House');
  assert.equal(actionInWords({ ...invited, target_name: null }), 'Invited dd2c');
  const odd = { action: 'order.ready', target: 'ord_1', target_name: 'A$&1' } as const;
  assert.equal(actionInWords(odd), 'Marked order A$&1 ready');
});
