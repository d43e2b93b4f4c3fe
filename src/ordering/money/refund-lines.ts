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
 * receipt's items already show, their sum equals the order's refunded and pending amounts, to the cent.
 */
export function refundLines(
  order: RefundTotals,
  refunds: readonly ShownRefund[],
  locale: Locale,
): { label: string; cents: number }[] {
  const { receipt } = locale.words.customer;
  const made = refunds.filter(({ state }) => state !== 'failed');
  const counted = made.toSorted((a, b) => Number(isWeighing(b)) - Number(isWeighing(a)));
  const shown = counted.length > MAX_LINES ? counted.slice(0, MAX_LINES - 1) : counted;
  const done = shown.filter(({ state }) => state === 'done');
  const pending = shown.filter(({ state }) => state === 'pending');
  const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);
  const lines = [
    ...done
      .filter((refund) => !isWeighing(refund))
      .map((refund) => ({ label: refundLabel(refund, order.quote.items, locale), cents: -refund.refundedCents })),
    { label: receipt.refunded, cents: sum(done.map(({ refundedCents }) => refundedCents)) - order.refundedCents },
    ...pending
      .filter((refund) => !isWeighing(refund))
      .map(({ cents }) => ({ label: receipt.refundPending, cents: -cents })),
    { label: receipt.refundPending, cents: sum(pending.map(({ cents }) => cents)) - order.refundingCents },
  ];
  return lines.filter(({ cents }) => cents !== 0);
}

const isWeighing = ({ kind }: ShownRefund): boolean => kind === 'weighed';

/** `Refund: 1 x Margherita`, `Refund: arrived late`, or `Refunded`. */
export function refundLabel(
  { kind, reason, items }: Pick<ShownRefund, 'kind' | 'reason' | 'items'>,
  names: readonly NamedItem[],
  locale: Locale,
): string {
  const { receipt } = locale.words.customer;
  if (kind === 'item_changed') return receipt.refundMissingItems;
  const what = items.length > 0 ? unitsInWords(items, names, locale) : whyInWords(kind, reason, locale);
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

function whyInWords(kind: ShownRefund['kind'], reason: string, locale: Locale): string {
  // The reason of a cancelation is above the receipt.
  return kind === 'canceled' || oneLine(reason) === '' ? '' : oneLine(cancelReasonInWords(oneLine(reason), locale));
}
