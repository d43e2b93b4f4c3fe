/** Pure rules whose tests are tested: each file of `rules` is changed at one place, and one of `tests` must fail. */
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
    name: 'delivery',
    rules: ['src/supply/pricing/quote.ts'],
    tests: ['src/supply/pricing/delivery-terms.test.ts', 'src/supply/pricing/quote.test.ts'],
  },
  {
    name: 'options',
    rules: ['src/orders/choose-options.ts'],
    tests: ['src/orders/choose-options.test.ts', 'src/orders/autofill-options.test.ts'],
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
    rules: ['src/orders/advance-order.ts'],
    tests: ['src/orders/advance-order.test.ts'],
  },
  {
    name: 'refunds',
    rules: [
      'src/orders/refunds/item-refund.ts',
      'src/orders/refunds/refund.ts',
      'src/orders/adjustments/owed-refund.ts',
      'src/orders/adjustments/move-holds.ts',
    ],
    tests: [
      'src/orders/refunds/item-refund.test.ts',
      'src/orders/refunds/allocate-refund.test.ts',
      'src/orders/adjustments/owed-refund.test.ts',
      'src/orders/adjustments/move-holds.test.ts',
      'src/orders/order-lives.test.ts',
    ],
  },
  {
    name: 'adjustments',
    rules: [
      'src/orders/adjustments/adjust-item.ts',
      'src/orders/adjustments/reprice-order.ts',
      'src/orders/adjustments/substitute.ts',
    ],
    tests: [
      'src/orders/adjustments/adjust-item.test.ts',
      'src/orders/adjustments/substitute.test.ts',
      'src/orders/adjustments/reprice-order.test.ts',
      'src/orders/order-lives.test.ts',
    ],
  },
];
