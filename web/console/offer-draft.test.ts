import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatOf } from '../../src/platform/languages/format.ts';
import { readPromotion } from '../../src/supply/promotions/promotion-shape.ts';
import { readOwnFields } from '../../src/supply/stores/feed-fields.ts';
import type { ConsoleContext } from './console-context.ts';
import { bodyOfDraft, faultOfDraft, newDraft, OFFER_KINDS, type OfferDraft, offerInWords } from './offer-draft.ts';
import { storeClock } from './store-clock.ts';

const ENGLISH = formatOf('en', 'US');
const NOW = Temporal.Instant.from('2026-06-10T22:18:00Z').epochMilliseconds / 1000;
const TODAY = '2026-06-10';
const CLOCK = storeClock('America/New_York', ENGLISH);
const CONTEXT = { format: ENGLISH, clock: CLOCK, now: () => NOW } as ConsoleContext;
const PIZZA = { id: 'pizza', name: 'Pizza', isCategory: true };
const CAKE = { id: 'cake', name: 'Cheesecake', isCategory: false };
const NAMES = new Map([
  ['c pizza', 'Pizza'],
  ['p cake', 'Cheesecake'],
]);

type Changes = Partial<Omit<OfferDraft, 'body'>> & { body?: Partial<OfferDraft['body']> };
const draftOf = (kind: OfferDraft['body']['kind'], { body, ...changes }: Changes = {}): OfferDraft => {
  const draft = newDraft(kind);
  return { ...draft, ...changes, body: { ...draft.body, ...body } };
};
const sentenceOf = (draft: OfferDraft) => offerInWords(bodyOfDraft(draft, CLOCK), NAMES, CONTEXT);

test('the sentence states an offer’s reduction, its conditions and its payer', () => {
  const tuesdays = draftOf('percent', { body: { percent: 20, minimum_subtotal: 3000 }, days: [1] });
  assert.equal(sentenceOf(tuesdays), '20% off everything, every Tuesday, on orders of $30.00 or more, paid by you');
  const dessert = draftOf('buy_get', { body: { minimum_subtotal: 3000, times: 1 }, getItems: [CAKE] });
  assert.equal(
    sentenceOf(dessert),
    '1 from Cheesecake free with any other item, with $30.00 or more of everything except Cheesecake, once per order, paid by you',
  );
  const evening = draftOf('amount', {
    body: { amount_cents: 500, code: ' save5 ', first_order: true, mode: 'pickup' },
    items: [PIZZA, CAKE],
    days: [0, 4],
    from: '17:00',
    to: '19:30',
    first: '2026-06-12',
    last: '2026-06-30',
  });
  assert.equal(
    sentenceOf(evening),
    '$5.00 off Pizza + Cheesecake, every Monday and Friday, 5:00 – 7:30 PM, pickup only, with code SAVE5, first orders only, from Fri, Jun 12, 2026, through Tue, Jun 30, 2026, paid by you',
  );
  const pizzas = draftOf('percent', { body: { percent: 20, minimum_subtotal: 3000 }, items: [PIZZA] });
  assert.equal(sentenceOf(pizzas), '20% off Pizza, with $30.00 or more of Pizza, paid by you');
  const tiers = [{ minimum_subtotal: 3000, amount_cents: 500 }];
  const items = { categories: ['pizza'], except: { products: ['cake'] } };
  assert.equal(
    offerInWords({ kind: 'spend', tiers, items }, NAMES, CONTEXT),
    '$5.00 off $30.00 or more of Pizza except Cheesecake, paid by you',
  );
  assert.equal(sentenceOf(draftOf('buy_get')), 'Buy 1, get 1 free, paid by you');
  assert.equal(sentenceOf(draftOf('delivery')), 'Free delivery, paid by you');
  assert.equal(
    sentenceOf(draftOf('item_price', { body: { price_cents: 999 }, items: [CAKE] })),
    'Cheesecake for $9.99, paid by you',
  );
});

test('lowering one item doesn’t lower another', () => {
  const { items, get_items: lowered } = bodyOfDraft(draftOf('buy_get', { getItems: [CAKE] }), CLOCK);
  assert.deepEqual([items, lowered], [{ except: { products: ['cake'] } }, { products: ['cake'] }]);
});

test('the service accepts every promotion that validates', () => {
  const cents = fc.constantFrom(undefined, 1, 500, 3000, Number.NaN);
  const count = fc.constantFrom(undefined, 1, 20, 100);
  const items = fc.constantFrom(undefined, [], [PIZZA], [PIZZA, { ...PIZZA, id: 'salad' }]);
  const time = fc.constantFrom('', '09:00', '17:30');
  const date = fc.constantFrom('', '2026-06-01', '2026-06-20', '2026-07-01');
  const fields = fc.record({
    percent: count,
    buy: count,
    get: count,
    minimum_subtotal: cents,
    max_uses: count,
    budget_cents: cents,
    code: fc.constantFrom(undefined, '', 'ab', 'save-5', 'né'),
    first_order: fc.boolean(),
  });
  const drafts = fc.record({
    kind: fc.constantFrom(...OFFER_KINDS),
    fields,
    amount: cents,
    rest: fc.record({
      items,
      getItems: fc.constantFrom(undefined, [], [CAKE]),
      from: time,
      to: time,
      first: date,
      last: date,
      days: fc.subarray([0, 1, 2, 3, 4, 5, 6]),
    }),
  });
  let taken = 0;
  fc.assert(
    fc.property(drafts, ({ kind, fields: typed, amount, rest }) => {
      const { percent, buy, get, code, first_order, minimum_subtotal, max_uses, budget_cents } = typed;
      const ofKind = {
        percent: { percent },
        amount: { amount_cents: amount },
        item_price: { price_cents: amount },
        buy_get: { percent, buy, get },
        delivery: {},
      }[kind];
      const conditions = kind === 'item_price' ? {} : { code, first_order, minimum_subtotal, max_uses, budget_cents };
      // The form of a kind has only its own fields.
      const shown = {
        ...rest,
        items: kind === 'delivery' ? undefined : rest.items,
        getItems: kind === 'buy_get' ? rest.getItems : undefined,
      };
      const isUnchosen = kind === 'item_price' && shown.items === undefined;
      const draft = draftOf(kind, { body: { ...ofKind, ...conditions }, ...shown, ...(isUnchosen && { items: [] }) });
      if (faultOfDraft(draft, TODAY) !== undefined) return;
      taken += 1;
      const body = JSON.parse(JSON.stringify(bodyOfDraft(draft, CLOCK)));
      const read = readOwnFields(body, (from) => readPromotion(from, 'store'));
      assert.ok(read.ok, JSON.stringify(read));
      assert.match(offerInWords(body, NAMES, CONTEXT), /paid by you$/);
    }),
    { numRuns: 2000 },
  );
  assert.ok(taken > 100, `${taken}`);
});
