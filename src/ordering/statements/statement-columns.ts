import type { Amounts } from './ledger-entry.ts';

/** The amounts of a statement, in one order for every reader: answers, CSV, the console and the operator's tables. */

/** `head`: in the operator's tables. */
export type AmountColumn = readonly [of: Exclude<keyof Amounts, 'taxLines'>, description: string, head?: string];

export const AMOUNT_COLUMNS = {
  sales: ['salesCents', "The items at the store's list prices.", 'Sales'],
  discounts: ['storeDiscountCents', "The store's discounts, a negative amount. Absent if zero.", 'Discounts'],
  taxes: ['taxesCents', "All of the order's taxes.", 'Taxes'],
  delivery_fees: ['deliveryFeesCents', 'Delivery fees.', 'Delivery fees'],
  service_fees: ['serviceFeesCents', 'The service and small-order fees, which belong to the operator.', 'Service fees'],
  tip: ['tipCents', 'All tips, including tips for deliveries by others.', 'Tips'],
  tips_to_pass_on: [
    'tipsToPassOnCents',
    "The tips of the store's own drivers, which the payout includes. They carry no commission.",
    'To pass on',
  ],
  commission: ['commissionCents', 'Commission on sales plus the fee per order, owed to the operator.', 'Commission'],
  collected_elsewhere: [
    'collectedElsewhereCents',
    'The total of orders that were not charged here. Their other amounts are 0, and their payout is the negative commission.',
    'Elsewhere',
  ],
  collected: [
    'collectedCents',
    'The amount of these totals collected at handoff, minus refunds paid in cash. The payout is reduced by the amount that the store or its own driver collected.',
    'Collected',
  ],
  payout: ['payoutCents', 'The amount paid to the store. Negative if the store owes money.', 'Payout'],
} as const satisfies Readonly<Record<string, AmountColumn>>;

export type AmountName = keyof typeof AMOUNT_COLUMNS;
export const AMOUNT_NAMES = Object.keys(AMOUNT_COLUMNS) as AmountName[];

/** Amounts that are absent where they are 0. */
export const RARE_AMOUNTS: ReadonlySet<string> = new Set<AmountName>(['discounts']);
