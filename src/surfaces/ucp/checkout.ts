import type { AgentOrders, KeyMode } from '../../access/accounts/account.ts';
import { handOverReason } from '../../access/customers/agent-placing.ts';
import type { TokenBearer } from '../../access/customers/grants.db.ts';
import { minAgeAt } from '../../ordering/order/alcohol.ts';
import type { Order, RequestedAmount } from '../../ordering/order/order.ts';
import { holdCents } from '../../ordering/order/weighed-order.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { Mode } from '../../supply/stores/store.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { Location, Message } from './contract.ts';
import type { ItemUnits } from './quantities.ts';

/**
 * A checkout of the protocol: the platform's last request, and the unplaced order that it became. The order decides the
 * charge. A cart that cannot be quoted has no order of its own; it is shown as it was priced, with the errors that the
 * platform can fix.
 */

/** A line as it was priced. */
export type ShownLine = {
  id: string;
  quantity: number;
  totals: readonly Total[];
};
export type Total = {
  type: string;
  amount: number;
  display_text?: string;
  lines?: readonly { display_text: string; amount: number }[];
};

/** The results of pricing the cart last. */
export type Shown = {
  lines: readonly ShownLine[];
  messages: readonly Message[];
  /** Of `fulfillment`. */
  availableMethods: readonly { type: Mode; fulfillable_on: string }[];
  options: readonly object[];
  selectedOptionId: string | null;
  /** The last total that the platform was shown; null for an unquoted cart. */
  totalCents: number | null;
  /** Charges that were declined since. */
  declines?: number;
};

/** Maximum declined charges before a person must finish the checkout. */
const MAX_DECLINES = 3;

/** A line of a checkout; unavailable lines come last, without a price. */
export type ShopLine = {
  id: string;
  itemId: string;
  title: string;
  unitCents: number;
  quantity: number;
  /** For items sold by weight: the ordered amount, and the item's unit of counting. */
  amount?: RequestedAmount;
  units?: ItemUnits;
};

/** A cart as it is priced: the item of each line, the buyer, and how it's fulfilled. */
export type CheckoutRequest = {
  line_items: readonly OrderedLine[];
  wanted: readonly ShopLine[];
  codes?: readonly string[];
  buyer?: Person;
  fulfillment?: { methods: [Method] };
};
/** A product with its options, under the name that it is stored by. */
export type OrderedLine = {
  id: string;
  quantity: number;
  dish: { id: string; modifications: readonly { id: string; quantity: number }[] };
};
export type Person = { first_name?: string; last_name?: string; email?: string; phone_number?: string };
export type Address = NonNullable<Location['address']>;
type Method = { type: Mode; destination?: { address: Address }; selected_option_id?: string };

export type UcpCheckout = {
  checkoutId: string;
  accountId: string;
  mode: KeyMode;
  profileUrl: string;
  /** Whom it is for, if it was made with a token. */
  userId: string | null;
  storeId: string;
  /** The order that the last cart that could be quoted became. */
  orderId: string | null;
  /** The platform's last request. */
  input: CheckoutRequest & {
    cartId?: string;
    isProven?: boolean;
    /** The buyer's language, if one was named. */
    language?: Language;
  };
  shown: Shown;
  /** Whether the order is of this cart; otherwise it is of an earlier one. */
  isQuoted: boolean;
  isCanceled: boolean;
  changedAt: Temporal.Instant;
};

export type CheckoutStatus =
  | 'incomplete'
  | 'requires_escalation'
  | 'ready_for_complete'
  | 'complete_in_progress'
  | 'completed'
  | 'canceled';

/** How long a checkout can be completed after its last change, in hours. */
const LIFETIME_HOURS = 6;

export const expiresAt = ({ changedAt }: Pick<UcpCheckout, 'changedAt'>) => changedAt.add({ hours: LIFETIME_HOURS });

/** A checkout's state at a moment. `order` is the order with its ID, in any status. */
export type CheckoutState = {
  checkout: Pick<UcpCheckout, 'isCanceled' | 'changedAt'>;
  order: Order | undefined;
  messages: readonly Message[];
  now: Temporal.Instant;
};

/** A checkout whose order was placed is complete, even if the order is canceled later. */
export function statusOf({ checkout, order, messages, now }: CheckoutState): CheckoutStatus {
  if (order && order.status !== 'unplaced') return 'completed';
  if (order?.chargeState === 'pending') return 'complete_in_progress';
  if (checkout.isCanceled || Temporal.Instant.compare(expiresAt(checkout), now) <= 0) return 'canceled';
  const severities = messages.flatMap((message) => (message.type === 'error' ? [message.severity] : []));
  if (severities.some((severity) => !severity.startsWith('requires_'))) return 'incomplete';
  return severities.length > 0 ? 'requires_escalation' : 'ready_for_complete';
}

export const hasEnded = (status: CheckoutStatus): boolean => status === 'completed' || status === 'canceled';

type Speaks = {
  orders: AgentOrders;
  isFulfillmentNegotiated: boolean;
  /** The orders that a token's customer lets its program place. */
  bearer?: Pick<TokenBearer, 'scopes' | 'maxOrderCents'>;
};

/** Whether a platform places orders itself. A platform without fulfillment cannot say where they go. */
export const doesPlace = ({ orders, isFulfillmentNegotiated }: Speaks) => orders === 'place' && isFulfillmentNegotiated;

/** Steps that only a person can take before an order is placed, with the reason, in the words of the person's page. */
export function escalations(
  { quote, chargeState }: Order,
  platform: Speaks,
  { declines = 0 }: Pick<Shown, 'declines'>,
  locale: Locale,
): Message[] {
  const { page, place, payment } = locale.words.checkout;
  const alcohol = quote.items.findIndex(({ isAlcoholic }) => isAlcoholic);
  const age = minAgeAt(quote.store.country, quote.store.state);
  const isAge = { code: 'age_verification_required', severity: 'requires_buyer_review' } as const;
  const isBank = { code: 'payment_authentication_required', severity: 'requires_buyer_input' } as const;
  const total = locale.format.money(quote.totalWithTipCents);
  const required = [
    ...(alcohol < 0 ? [] : [{ ...isAge, path: `$.line_items[${alcohol}]`, content: place.showId({ age }) }]),
    ...(chargeState === 'waiting' ? [{ ...isBank, path: PAYMENT_PATH, content: payment.approve({ total }) }] : []),
  ].map((message) => ({ ...message, type: 'error' as const }));
  const { bearer, orders: agentOrders } = platform;
  const priced = { totalCents: holdCents(quote), hasAlcohol: false };
  if (bearer && handOverReason({ ...bearer, agentOrders }, priced) === 'over_limit') {
    const limit = locale.format.money(bearer.maxOrderCents ?? 0);
    return [...required, limitMessage(locale.words.agent.checkout.overLimit({ limit }))];
  }
  if (required.length > 0 || (doesPlace(platform) && declines < MAX_DECLINES)) return required;
  const severity = 'requires_buyer_review';
  return [{ type: 'error', code: 'buyer_review_required', content: page.description, severity }];
}

/** Where a message on the payment points. */
export const PAYMENT_PATH = '$.payment.instruments[0]';

/** The customer places orders above the agents' limits. */
export const limitMessage = (content: string): Message => ({
  type: 'error',
  code: 'order_limit_exceeded',
  path: '$.totals',
  content,
  severity: 'requires_buyer_review',
});
