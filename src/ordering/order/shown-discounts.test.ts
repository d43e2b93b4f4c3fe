import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { discountedOrders } from '../../../test/given/discounted-orders.ts';
import { runs } from '../../../test/runs.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { sumCents } from '../../platform/lib/money.ts';
import type { PromotionTerms } from '../../supply/pricing/promotion.ts';
import { promotionTitle } from '../../supply/pricing/promotion-words.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { presentFinalQuote, presentStoreQuote } from './final-quote.ts';

const sum = (amounts: readonly { amount: number }[]) => sumCents(amounts.map(({ amount }) => amount));

test('a discounted order adds up to its charge by line, by payer, and for its store', () => {
  const property = fc.property(discountedOrders, (given) => {
    const order = { ...given.order, quote: { ...given.order.quote, minutes: { minimum: 30, maximum: 40 } } };
    const shown = presentFinalQuote(order);
    const { quote, discounts = [], discount_cents: off = 0, added_fees: added, items } = shown;
    const fees = quote.delivery_fee_cents + quote.service_fee_cents + quote.small_order_fee_cents;
    const before = quote.subtotal + shown.markup_cents + fees + quote.sales_tax_cents + added.sales_tax_cents;
    assert.equal(before + shown.tip - off, shown.total_with_tip);
    assert.equal(quote.subtotal + fees + quote.sales_tax_cents - off, quote.total_without_tips);
    assert.equal(sum(discounts), off);
    for (const one of discounts) {
      assert.equal(sum(one.paid_by), one.amount);
      assert.equal(sum(one.lines) + one.delivery_amount, one.amount);
    }
    const ofDelivery = sumCents(discounts.map((one) => one.delivery_amount));
    assert.equal(sumCents(items.map(({ discount_cents: cents = 0 }) => cents)) + ofDelivery, off);

    const store = presentStoreQuote(order);
    assert.equal(sum(store.discounts ?? []), store.discount_cents ?? 0);
    const list = sumCents(
      order.quote.items.map(({ listUnitCents, unitCents, quantity }) => (listUnitCents ?? unitCents) * quantity),
    );
    assert.equal(store.quote.subtotal, list);
    const own = list + fees + quote.sales_tax_cents - (store.discount_cents ?? 0);
    assert.equal(store.quote.total_without_tips, own);
    if (order.quote.discounts === undefined)
      for (const name of ['discounts', 'discount_cents']) assert.equal(name in shown, false);
  });
  fc.assert(property, { numRuns: runs(5000, 300) });
});

const TERMS: readonly (readonly [terms: PromotionTerms, english: string])[] = [
  [{ kind: 'percent', percent: 20 }, '20% off'],
  [{ kind: 'percent', percent: 12.5, maxDiscountCents: 1000 }, '12.5% off, up to $10.00'],
  [{ kind: 'amount', amountCents: 500 }, '$5.00 off'],
  [
    {
      kind: 'spend',
      tiers: [
        { minimumSubtotalCents: 5000, amountCents: 1000 },
        { minimumSubtotalCents: 3000, amountCents: 500 },
      ],
    },
    'Spend $50.00, get $10.00 off',
  ],
  [{ kind: 'buy_get', buy: 1, get: 1, percent: 100 }, 'Buy 1, get 1 free'],
  [{ kind: 'buy_get', buy: 2, get: 1, percent: 50 }, 'Buy 2, get 1 at 50% off'],
  [{ kind: 'delivery', toCents: 0 }, 'Free delivery'],
  [{ kind: 'delivery', amountCents: 200 }, '$2.00 off delivery'],
  [{ kind: 'item_price', priceCents: 600 }, 'Now $6.00'],
  [{ kind: 'item_price', percent: 40 }, '40% off'],
];

test('terms are in the words of each language, and an owner’s title stays as it is', () => {
  for (const [terms, english] of TERMS) {
    const titles = LANGUAGES.map((language) => promotionTitle({ terms }, localeOf(language, 'US')));
    assert.equal(titles[0], english);
    assert.equal(new Set(titles).size, LANGUAGES.length, titles.join(' | '));
  }
  const own = { terms: { kind: 'percent', percent: 20 }, title: 'Taco Tuesday' } as const;
  assert.equal(promotionTitle(own, localeOf('fr', 'CA')), 'Taco Tuesday');
});
