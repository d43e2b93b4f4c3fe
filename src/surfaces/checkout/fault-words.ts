import type { FrozenQuote, QuotedItem } from '../../ordering/order/order.ts';
import { itemIndexIn, type OrderFault } from '../../ordering/order/order-faults.ts';
import type { Refusal } from '../../platform/http/refusal.ts';
import type { Zone } from '../../platform/languages/format.ts';
import type { Locale } from '../../texts/catalogs.ts';

/** Why an order cannot be placed as it is, or a card does not pay, in the customer's words. */

/** The sentences' values: the store, the items by their position in the order, and the chosen time. */
export type FaultyOrder = {
  store: Pick<FrozenQuote['store'], 'name'>;
  items: readonly Pick<QuotedItem, 'productId' | 'name'>[];
  scheduled: FrozenQuote['scheduled'];
};

export function faultInWords(
  { words, format }: Locale,
  { store, scheduled, items }: FaultyOrder,
  fault: OrderFault,
  { zone, now }: { zone: Zone; now: Temporal.Instant },
): string {
  const says = words.checkout.faults;
  const product =
    items.find(({ productId }) => fault.productIds?.includes(productId))?.name ??
    items[itemIndexIn(fault.name) ?? -1]?.name;
  switch (fault.code) {
    case 'product_not_found':
    case 'product_unavailable':
      if (product === undefined) return says.other;
      if (fault.left !== undefined) return says.fewLeft({ product, left: format.number(fault.left) });
      return says.product({ product });
    case 'invalid_options':
      return product === undefined ? says.other : says.options({ product });
    case 'pickup_not_supported':
      return says.noPickup({ store: store.name });
    case 'slot_unavailable':
      if (scheduled === null) return says.other;
      return says.slot({ time: format.slot(scheduled, zone, now) });
    case 'order_minimum_not_met':
      return says.minimum({ store: store.name });
    case 'quote_unavailable':
      return STORE_FAULTS[fault.quoteError ?? 'STORE_NOT_AVAILABLE'](says, store.name);
    case 'invalid_request':
      return product === undefined ? says.inPerson : says.product({ product });
    default:
      return says.other;
  }
}

type FaultWords = Locale['words']['checkout']['faults'];
const STORE_FAULTS: Readonly<
  Record<NonNullable<OrderFault['quoteError']>, (says: FaultWords, store: string) => string>
> = {
  DELIVERY_NOT_AVAILABLE: (says, store) => says.noDelivery({ store }),
  PICKUP_NOT_AVAILABLE: (says, store) => says.noPickup({ store }),
  STORE_CLOSED: (says, store) => says.closed({ store }),
  OUT_OF_RANGE: (says, store) => says.outOfRange({ store }),
  STORE_NOT_AVAILABLE: (says, store) => says.notAvailable({ store }),
};

/** The response to a declined payment: its status, and why. Undefined for an error of another kind. */
export function paymentFault(
  locale: Locale,
  { code, extras }: Refusal,
): { status: number; cardFault: string } | undefined {
  const { payment, card } = locale.words.checkout;
  switch (code) {
    case 'payment_method_not_found':
      return { status: 409, cardFault: card.missing };
    case 'payment_token_not_accepted':
      return { status: 422, cardFault: payment.declined };
    case 'too_many_declines':
      return { status: 429, cardFault: payment.tooMany };
    case 'payment_declined':
      return { status: 402, cardFault: declineInWords(locale, extras.members?.decline_code) };
    default:
      return undefined;
  }
}

/** Why a card was declined, by the code of an error `payment_declined`. */
const declineInWords = ({ words: { checkout } }: Locale, declineCode: unknown): string =>
  checkout.payment[DECLINES[String(declineCode)] ?? 'declined'];

const DECLINES: Readonly<Record<string, 'insufficientFunds' | 'expired' | 'wrongCode' | 'notApproved' | 'noCash'>> = {
  cash_not_accepted: 'noCash',
  insufficient_funds: 'insufficientFunds',
  expired_card: 'expired',
  incorrect_cvc: 'wrongCode',
  authentication_failed: 'notApproved',
  authentication_required: 'notApproved',
};
