import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { component, orNull } from '../../platform/http/api-components.ts';
import { invalidField } from '../../platform/http/request-schema.ts';

/** An operator's agreement with a store; a new agreement applies to orders placed from then on. */
export type StatementTerms = {
  /** Percent of the items' subtotal. */
  commissionPercent: number;
  perOrderCents: number;
  /** Who gets the delivery fee; null: the operator where an outside courier drives, otherwise the store. */
  deliveryFee: 'store' | 'operator' | null;
  /** Who remits the taxes. */
  tax: 'operator' | 'store';
};

/** The terms for a store without an agreement. */
export const DEFAULT_TERMS: StatementTerms = {
  commissionPercent: 0,
  perOrderCents: 0,
  deliveryFee: null,
  tax: 'operator',
};

/** The terms of one order, with the owner of its delivery fee. */
export type OrderTerms = StatementTerms & { deliveryFee: 'store' | 'operator' };

export const MAX_COMMISSION_PERCENT = 100;
/** Maximum fee per order: $1,000. */
export const MAX_PER_ORDER_CENTS = 100_000;

/** A percentage of up to six decimals, all of them kept. */
export function isCommission(percent: number): boolean {
  return percent <= MAX_COMMISSION_PERCENT && /^\d{1,3}(\.\d{1,6})?$/.test(String(percent));
}

/** Terms as commands and operators' endpoints show and take them. */
const fields = {
  commission: Type.Number({
    minimum: 0,
    maximum: MAX_COMMISSION_PERCENT,
    description: "A percentage of the items' subtotal, with up to six decimals.",
  }),
  per_order_cents: Type.Integer({ minimum: 0, maximum: MAX_PER_ORDER_CENTS, description: 'The fee per order.' }),
  delivery_fee: Type.Enum(['store', 'operator', 'default'], {
    description: 'Who gets the fee. `default`: the operator if an outside courier delivers, otherwise the store.',
  }),
  tip: Type.Enum(['driver'], { description: 'Who keeps tips: always the driver.' }),
  tax: Type.Enum(['operator', 'store'], { description: 'Who remits the taxes.' }),
};

export const TermsChangesSchema = Type.Partial(
  Type.Object(fields, { description: 'Applies to orders placed from now on. Omitted fields stay unchanged.' }),
);
export const TermsSchema = component(
  'StoreTerms',
  'The terms that an operator agreed with a store, and when they took effect.',
  { since: orNull(Type.Integer(), 'Epoch seconds. Null if no terms were ever agreed.'), ...fields },
);

export const presentTerms = (terms: StatementTerms) => ({
  commission: terms.commissionPercent,
  per_order_cents: terms.perOrderCents,
  delivery_fee: terms.deliveryFee ?? ('default' as const),
  tip: 'driver' as const,
  tax: terms.tax,
});

/** The terms that a command or a request names; the rest stay. `prefix` precedes the name of a wrong one. */
export function readTerms(given: Static<typeof TermsChangesSchema>, prefix = ''): Partial<StatementTerms> {
  if (given.commission !== undefined && !isCommission(given.commission)) {
    throw invalidField('body', `${prefix}commission`, 'must have at most six decimals');
  }
  const { commission, per_order_cents: perOrderCents, delivery_fee: deliveryFee, tax } = given;
  return present({
    commissionPercent: commission,
    perOrderCents,
    deliveryFee: deliveryFee && (deliveryFee === 'default' ? null : deliveryFee),
    tax,
  });
}
