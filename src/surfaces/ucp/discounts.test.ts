import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { type Discount, REJECTIONS, SLOTS } from '../../supply/pricing/promotion.ts';
import { discountCentsOf } from '../../supply/pricing/promotions.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { codeWarnings, orderedCodes, presentDiscounts, shownCodes } from './discounts.ts';

const EN = localeOf('en', 'US');
const LINES = 4;
const cents = fc.integer({ min: 0, max: 9999 });
const part = fc.record({
  payer: fc.constantFrom('store' as const, 'account' as const, 'operator' as const),
  lowersTax: fc.boolean(),
  lineCents: fc.array(cents, { minLength: LINES, maxLength: LINES }),
  deliveryCents: cents,
});
const discount = fc.record(
  {
    promotionId: fc.string(),
    slot: fc.constantFrom(...SLOTS),
    terms: fc.constant({ kind: 'amount' as const, amountCents: 500 }),
    title: fc.string(),
    code: fc.constantFrom('SAVE', 'FREE'),
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['promotionId', 'slot', 'terms', 'parts'] },
);

type Applied = {
  amount: number;
  code?: string;
  automatic?: boolean;
  allocations: { path: string; amount: number }[];
};
const appliedOf = (discounts: readonly Discount[], deliveryPath?: string) => {
  const places = { pathOfLine: (line: number) => `$.line_items[${line}]`, ...(deliveryPath ? { deliveryPath } : {}) };
  const shown = presentDiscounts([], { discounts }, places, EN) as { applied: Applied[] } | undefined;
  return shown?.applied ?? [];
};
const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0);

test('allocations add up to their discount, on lines and delivery; each line has one', () => {
  fc.assert(
    fc.property(fc.array(discount, { maxLength: 3 }), (discounts) => {
      const applied = appliedOf(discounts, '$.totals[1]');
      assert.equal(sum(applied.map(({ amount }) => amount)), sum(discounts.map(discountCentsOf)));
      for (const { amount, allocations, code, automatic } of applied) {
        assert.equal(sum(allocations.map((one) => one.amount)), amount);
        assert.equal(new Set(allocations.map(({ path }) => path)).size, allocations.length);
        assert.ok(allocations.every((one) => one.amount > 0));
        assert.equal(automatic === true, code === undefined);
      }
    }),
    { numRuns: runs(200) },
  );
});

test('a code’s free delivery isn’t counted while the fee is hidden; the code is applied', () => {
  const off = (code: object) => ({
    promotionId: 'p',
    slot: 'delivery' as const,
    terms: { kind: 'delivery' as const, toCents: 0 as const },
    ...code,
    parts: [{ payer: 'operator' as const, lowersTax: false, lineCents: [0], deliveryCents: 299 }],
  });
  const [applied] = appliedOf([off({ code: 'FREE' }), off({})]);
  assert.deepEqual([applied?.code, applied?.amount, applied?.allocations], ['FREE', 0, []]);
  assert.equal(presentDiscounts([], { discounts: [off({})] }, { pathOfLine: String }, EN), undefined);
});

test('every reason is one of the warnings, at the code as it was sent', () => {
  const codeOf = (reason: (typeof REJECTIONS)[number], isUserKnown: boolean) => {
    const rejectedCodes = [{ code: 'SAVE', reason }];
    const sent = reason === 'duplicate' ? ['SAVE', 'save'] : [' save '];
    const messages = codeWarnings(sent, { rejectedCodes }, isUserKnown, EN);
    const [{ type, code, path } = { type: '', code: '', path: '' }, ...others] = messages as {
      type: string;
      code: string;
      path: string;
    }[];
    assert.deepEqual([type, path, others], ['warning', `$.discounts.codes[${sent.length - 1}]`, []]);
    return code.replace('discount_code_', '');
  };
  const found = Object.fromEntries(REJECTIONS.map((reason) => [reason, codeOf(reason, true)]));
  assert.deepEqual(found, {
    not_valid: 'invalid',
    not_yet: 'invalid',
    wrong_store: 'invalid',
    wrong_mode: 'invalid',
    wrong_time: 'invalid',
    minimum_not_met: 'invalid',
    no_matching_items: 'invalid',
    only_alcohol: 'invalid',
    nothing_to_discount: 'invalid',
    first_order_only: 'user_ineligible',
    already_used: 'user_ineligible',
    used_up: 'expired',
    better_offer_applied: 'combination_disallowed',
    duplicate: 'already_applied',
  });
  assert.equal(codeOf('first_order_only', false), 'user_not_logged_in');
  assert.equal(codeOf('already_used', false), 'user_ineligible');
});

test('a code of a wrong shape does not apply, and no order is priced with it', () => {
  const sent = ['a b', 'Save-10', 'no', ''];
  assert.deepEqual(orderedCodes(sent), ['SAVE-10']);
  const paths = codeWarnings(sent, {}, false, EN).map((message) => 'path' in message && message.path);
  assert.deepEqual(paths, ['$.discounts.codes[0]', '$.discounts.codes[2]', '$.discounts.codes[3]']);
});

test('codes are echoed as they were sent, until a person changes them', () => {
  const sent = ['Save-10', '?'];
  assert.deepEqual(shownCodes(sent, ['SAVE-10']), sent);
  assert.deepEqual(shownCodes(sent, []), []);
  assert.deepEqual(shownCodes([], ['FREE']), ['FREE']);
});
