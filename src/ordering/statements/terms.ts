/** What an operator agreed with a store; a new agreement holds for orders placed from then on. */
export type StatementTerms = {
  /** Percent of the items' subtotal. */
  commissionPercent: number;
  perOrderCents: number;
  /** Who gets the delivery fee; null: the operator where an outside courier drives, else the store. */
  deliveryFee: 'store' | 'operator' | null;
  /** Who gets the tip. */
  tip: 'driver' | 'store';
  /** Who remits the taxes. */
  tax: 'operator' | 'store';
};

/** Terms of a store without an agreement. */
export const DEFAULT_TERMS: StatementTerms = {
  commissionPercent: 0,
  perOrderCents: 0,
  deliveryFee: null,
  tip: 'driver',
  tax: 'operator',
};

/** The terms of one order, in which the owner of the delivery fee is decided. */
export type OrderTerms = StatementTerms & { deliveryFee: 'store' | 'operator' };

export const MAX_COMMISSION_PERCENT = 100;
/** Maximum fee per order: $1,000. */
export const MAX_PER_ORDER_CENTS = 100_000;
