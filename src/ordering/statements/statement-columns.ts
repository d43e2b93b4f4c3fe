import type { Amounts } from './ledger-entry.ts';

/** The amounts of a statement, in one sequence for every reader: answers, CSV, the console and the operator's tables. */

/** `head`: in the operator's tables. */
export type AmountColumn = readonly [of: Exclude<keyof Amounts, 'taxLines'>, description: string, head?: string];

export const AMOUNT_COLUMNS = {
  sales: ['salesCents', 'The items at the list prices of the store.', 'Sales'],
  discounts: ['storeDiscountCents', 'What the store takes off, at most 0. Absent where it is 0.', 'Discounts'],
  taxes: ['taxesCents', 'All taxes of the order.', 'Taxes'],
  delivery_fees: ['deliveryFeesCents', 'Delivery fees.', 'Delivery fees'],
  service_fees: ['serviceFeesCents', "Service and small-order fees, which are the operator's.", 'Service fees'],
  tip: ['tipCents', 'All tips, also of deliveries by others.', 'Tips'],
  tips_to_pass_on: [
    'tipsToPassOnCents',
    "Tips of the store's own drivers, which the payout has for them; without commission.",
    'To pass on',
  ],
  commission: ['commissionCents', 'From the store to the operator: of the sales, and the fee per order.', 'Commission'],
  collected_elsewhere: [
    'collectedElsewhereCents',
    'The total of orders that were not charged here. Their other amounts are 0, and their payout is minus the commission.',
    'Elsewhere',
  ],
  collected: [
    'collectedCents',
    'What was collected of these amounts at the handover, less what was handed back: the payout is less by what the store or its own driver collected.',
    'Collected',
  ],
  payout: ['payoutCents', 'What the store is paid; negative where it owes.', 'Payout'],
} as const satisfies Readonly<Record<string, AmountColumn>>;

export type AmountName = keyof typeof AMOUNT_COLUMNS;
export const AMOUNT_NAMES = Object.keys(AMOUNT_COLUMNS) as AmountName[];

/** Amounts that are absent where they are 0. */
export const RARE_AMOUNTS: ReadonlySet<string> = new Set<AmountName>(['discounts']);
