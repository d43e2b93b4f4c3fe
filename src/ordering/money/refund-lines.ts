import { sumCents } from '../../platform/lib/money.ts';
import { oneLine, shorten } from '../../platform/lib/plain-text.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { Order, QuotedItem } from '../order/order.ts';
import { cancelReasonInWords, weightInWords } from '../order/wording.ts';
import type { Refund } from './refund.ts';

/** The part of a refund that its customer sees. */
export type ShownRefund = Pick<Refund, 'kind' | 'reason' | 'items' | 'cents' | 'refundedCents' | 'state'>;

const MAX_LABEL = 60;
/** Maximum refund lines on a receipt; further refunds are summed into one line. */
const MAX_LINES = 20;

type RefundTotals = Pick<Order, 'quote' | 'refundedCents' | 'refundingCents'>;

/**
 * Refunds as negative lines of the receipt, by reason, and pending ones. With a refund for lower weights, which the
 * receipt's items already show, their sum equals the order's refunded and pending amounts, to the cent. A cancellation's
 * refund has no reason, and is less the `excessCents` that the order was charged above the receipt's total.
 */
export function refundLines(
  order: RefundTotals,
  refunds: readonly ShownRefund[],
  locale: Locale,
  excessCents = 0,
): { label: string; cents: number }[] {
  const { receipt } = locale.words.customer;
  const doneExcess = Math.min(excessCents, order.refundedCents);
  const made = refunds.filter(({ state, kind }) => state !== 'failed' && kind !== 'canceled');
  const counted = made.toSorted((a, b) => Number(isWeighing(b)) - Number(isWeighing(a)));
  const shown = counted.length > MAX_LINES ? counted.slice(0, MAX_LINES - 1) : counted;
  const linesIn = (state: ShownRefund['state'], centsOf: (refund: ShownRefund) => number, allCents: number) => {
    const own = shown.filter((refund) => refund.state === state);
    const labelOf = (refund: ShownRefund) =>
      state === 'done' ? refundLabel(refund, order.quote.items, locale) : receipt.refundPending;
    const named = own.filter((refund) => !isWeighing(refund));
    const rest = sumCents(own.map(centsOf)) - allCents;
    return [
      ...named.map((refund) => ({ label: labelOf(refund), cents: -centsOf(refund) })),
      { label: state === 'done' ? receipt.refunded : receipt.refundPending, cents: rest },
    ];
  };
  return [
    ...linesIn('done', ({ refundedCents }) => refundedCents, order.refundedCents - doneExcess),
    ...linesIn('pending', ({ cents }) => cents, order.refundingCents - excessCents + doneExcess),
  ].filter(({ cents }) => cents !== 0);
}

const isWeighing = ({ kind }: ShownRefund): boolean => kind === 'weighed';

/** `Refund: 1 x Margherita`, `Refund: arrived late`, or `Refunded`. */
function refundLabel(
  { kind, reason, items }: Pick<ShownRefund, 'kind' | 'reason' | 'items'>,
  names: readonly NamedItem[],
  locale: Locale,
): string {
  const { receipt } = locale.words.customer;
  if (kind === 'item_changed') return receipt.refundMissingItems;
  const why = oneLine(reason) && oneLine(cancelReasonInWords(oneLine(reason), locale));
  const what = items.length > 0 ? unitsInWords(items, names, locale) : why;
  return what === '' ? receipt.refunded : shorten(receipt.refundFor({ what }), MAX_LABEL);
}

type NamedItem = Pick<QuotedItem, 'name' | 'weight'>;

/** `1 x Margherita, 2 x Soda, 0.5 lb Chicken`. */
export function unitsInWords(
  items: readonly { index: number; quantity: number }[],
  names: readonly NamedItem[],
  locale: Locale,
): string {
  const { units, unnamedItem } = locale.words.customer.receipt;
  const shown = items.map(({ index, quantity }) => {
    const { name: ordered = unnamedItem, weight } = names[index] ?? {};
    const name = oneLine(ordered);
    return weight ? `${weightInWords(weight, locale, { milli: quantity })} ${name}` : units({ quantity, name });
  });
  return shown.join(', ');
}
