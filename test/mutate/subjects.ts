/** A mutation-tested rule: each mutant of the files in `rules` must fail a test in `tests`. */
export type Subject = { name: string; rules: readonly string[]; tests: readonly string[] };

export const SUBJECTS: readonly Subject[] = [
  {
    name: 'pricing',
    rules: ['src/supply/pricing/price-order.ts', 'src/platform/lib/money.ts'],
    tests: [
      'src/supply/pricing/price-order.test.ts',
      'src/supply/pricing/order-limit.test.ts',
      'src/platform/lib/money.test.ts',
    ],
  },
  {
    name: 'promotions',
    rules: ['src/supply/pricing/promotions.ts'],
    tests: ['src/supply/pricing/promotions.test.ts', 'src/supply/pricing/promoted-orders.test.ts'],
  },
  {
    name: 'delivery',
    rules: ['src/supply/pricing/quote.ts'],
    tests: ['src/supply/pricing/delivery-terms.test.ts', 'src/supply/pricing/quote.test.ts'],
  },
  {
    name: 'options',
    rules: ['src/ordering/order/choose-options.ts'],
    tests: ['src/ordering/order/choose-options.test.ts', 'src/ordering/order/autofill-options.test.ts'],
  },
  {
    name: 'slots',
    rules: ['src/supply/pricing/slots.ts', 'src/supply/pricing/available-at.ts'],
    tests: [
      'src/supply/pricing/slots.test.ts',
      'src/supply/pricing/offer-times.test.ts',
      'src/supply/pricing/available-at.test.ts',
    ],
  },
  {
    name: 'schedule',
    rules: ['src/supply/stores/open-state.ts', 'src/supply/stores/schedule.ts'],
    tests: [
      'src/supply/stores/schedule.test.ts',
      'src/supply/stores/open-state.test.ts',
      'src/supply/stores/schedule-state.test.ts',
      'src/supply/pricing/slots.test.ts',
    ],
  },
  {
    name: 'transitions',
    rules: ['src/ordering/order/advance-order.ts'],
    tests: ['src/ordering/order/advance-order.test.ts'],
  },
  {
    name: 'refunds',
    rules: [
      'src/ordering/money/item-refund.ts',
      'src/ordering/money/refund.ts',
      'src/ordering/money/owed-refund.ts',
      'src/ordering/money/move-holds.ts',
      'src/ordering/order/shares.ts',
    ],
    tests: [
      'src/ordering/order/shares.test.ts',
      'src/ordering/statements/statement-lives.test.ts',
      'src/ordering/money/item-refund.test.ts',
      'src/ordering/money/allocate-refund.test.ts',
      'src/ordering/money/owed-refund.test.ts',
      'src/ordering/money/move-holds.test.ts',
      'src/ordering/place/order-lives.test.ts',
    ],
  },
  {
    name: 'adjustments',
    rules: [
      'src/ordering/money/adjust-item.ts',
      'src/ordering/order/reprice-order.ts',
      'src/ordering/money/substitute.ts',
    ],
    tests: [
      'src/ordering/money/adjust-item.test.ts',
      'src/ordering/money/substitute.test.ts',
      'src/ordering/order/reprice-order.test.ts',
      'src/ordering/place/order-lives.test.ts',
    ],
  },
];
