import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { openCheckoutToken } from '../order/checkout-link.ts';
import type { FrozenQuote, Order, OrderRequest } from '../order/order.ts';
import type { CreateOrderDeps, OrderDeps } from '../order/order-deps.ts';
import { itemIndexIn, type OrderFault, OrderRefused } from '../order/order-faults.ts';
import { findAnyOrder } from '../order/orders.db.ts';
import { findCheckoutCard } from '../payments/card-setups.db.ts';
import type { PaymentMethod } from '../payments/payment-method.ts';
import { findPaymentMethod, listPaymentMethods } from '../payments/payment-methods.db.ts';
import { missingToPlace } from './order-body.ts';
import { changeCart, finalizeOrder, quoteCart } from './place-order.flow.ts';
import { quoteOrder } from './quote-order.flow.ts';

/*
 * The hosted checkout of an unplaced order. The order itself is its state: the customer's entries become part of the
 * order's request, and it is placed like `POST /order/finalize`. Only a total that the customer accepted is charged.
 */

/** The order of a link, in any status; undefined for an invalid link, or an earlier one of the order. */
export async function findCheckoutOrder({ db, tokens }: Pick<OrderDeps, 'db' | 'tokens'>, token: string) {
  const opened = openCheckoutToken(tokens, token);
  const order = opened && (await findAnyOrder(db, opened.orderId));
  return order && order.checkoutKey === opened.checkoutKey ? order : undefined;
}

/** Caller of a customer's page. Declined cards on an account's pages count together, like one API key's. */
export function customerCaller({ accountId, mode }: Order): Caller {
  return { accountId, mode, keyId: `checkout:${accountId}` };
}

/** An order on its hosted checkout: its request, and brand and last digits of the card to be charged. */
export type Checkout = {
  order: Order;
  request: OrderRequest;
  card: PaymentMethod | undefined;
  /** The saved cards of the customer who is signed in, newest first; none for anyone else. */
  saved: readonly PaymentMethod[];
};

/** Whether the user of an order can sign in: on the checkout, saved cards pay only in this customer's session. */
export const isOfSignIn = ({ agent, payerId }: OrderRequest) => agent !== undefined || payerId !== undefined;

/**
 * Whether a customer may sign in on an order's checkout: `anyone` while the order is without a user, `owner` if its
 * customer can sign in, and no one if the client named the user, unless it is this user.
 */
export function signInOn({ orderId, request }: Order, customer: { userId: string } | undefined) {
  const { userId } = request.customer;
  if (userId === '' || userId === orderId) return 'anyone';
  return userId === customer?.userId || isOfSignIn(request) ? 'owner' : undefined;
}

const MAX_SAVED = 10;

/**
 * An order with the card that its customer entered last, otherwise the client's. A deleted card, or another user's
 * card, counts as absent. A customer without a `user_id` from the client has the order's id. For `signedIn`, who may
 * sign in on the order, it is a saved card: the `chosen` one, otherwise the last.
 */
export async function readCheckout(
  sql: Sql,
  order: Order,
  signedIn?: { userId: string },
  chosen?: string,
): Promise<Checkout> {
  const { orderId, request } = order;
  // A customer who signed in on the page and left it to someone else doesn't own that person's order.
  const isLeft = !signedIn && request.payerId !== undefined && request.agent === undefined;
  const given = isLeft || request.customer.userId === orderId ? '' : request.customer.userId;
  const customer = { ...request.customer, userId: given || (signedIn?.userId ?? orderId) };
  const payerId = signedIn?.userId ?? (isOfSignIn(request) ? orderId : undefined);
  const saved = signedIn ? await listPaymentMethods(sql, order, signedIn.userId, MAX_SAVED) : [];
  const findCard = async (id: string | null | undefined) => {
    const method = id ? await findPaymentMethod(sql, order, id) : undefined;
    return method?.userId === (payerId ?? customer.userId) ? method : undefined;
  };
  const entered = await findCheckoutCard(sql, orderId);
  const ids = signedIn ? [chosen, request.paymentMethodId, entered] : [entered, request.paymentMethodId];
  let card: PaymentMethod | undefined;
  for (const id of ids) card ??= await findCard(id);
  if (signedIn) card ??= saved[0];
  const paymentMethodId = card?.paymentMethodId ?? null;
  const paid = { ...request, customer, paymentMethodId, ...(payerId !== undefined && { payerId }) };
  return { order, request: paid, card, saved };
}

/** The current quote of the order, or why it cannot be placed. */
export type Review = { quote: FrozenQuote } | { faults: readonly OrderFault[] };

export async function reviewCheckout(deps: CreateOrderDeps, { order, request }: Checkout): Promise<Review> {
  try {
    return { quote: (await quoteOrder(deps, customerCaller(order), request, order.quote)).quote };
  } catch (error) {
    if (error instanceof OrderRefused) return { faults: error.faults };
    throw error;
  }
}

/**
 * Stores the customer's entries. Refuses like quoting, and with `quote_changed` if the client or another tab has just
 * changed the order. An order that was placed in the meantime is returned unchanged.
 */
export async function saveCheckout(deps: CreateOrderDeps, order: Order, request: OrderRequest): Promise<Order> {
  return isDeepStrictEqual(request, order.request) ? order : changeCart(deps, customerCaller(order), order, request);
}

/** Fields that a customer must still enter before the order can be placed. */
export const missingOnCheckout = (request: OrderRequest): string[] => missingToPlace(request).map(({ name }) => name);

/**
 * Maximum tries. With two tabs, a double click or a repeated submission, the later request waits for the first and
 * returns its outcome.
 */
const MAX_TRIES = 8;
const RETRY_PAUSE_MS = 250;

/**
 * Places an order with its customer's entries, at the total that the customer accepted. `enter` adds the entries to the
 * order, again if a concurrent request has stored it, so that the client's changes are kept. Refuses like finalizing,
 * and with `quote_changed` without a charge if the total has changed.
 */
export async function placeCheckout(
  deps: CreateOrderDeps,
  order: Order,
  enter: (order: Order) => Promise<OrderRequest>,
  acceptedCents: number,
  triesLeft = MAX_TRIES,
): Promise<Order> {
  const request = await enter(order);
  try {
    return await placeOnce(deps, order, request, acceptedCents);
  } catch (error) {
    if (triesLeft === 0 || !isOfRival(error)) throw error;
    if (error.code === 'idempotency_in_progress') await delay(RETRY_PAUSE_MS);
    const found = await findAnyOrder(deps.db, order.orderId);
    const isAccepted = found?.quote.totalWithTipCents === acceptedCents;
    if (!found || (error.code === 'quote_changed' && !isAccepted)) throw error;
    return placeCheckout(deps, found, enter, acceptedCents, triesLeft - 1);
  }
}

function isOfRival(error: unknown): error is Refusal {
  return error instanceof Refusal && (error.code === 'idempotency_in_progress' || error.code === 'quote_changed');
}

async function placeOnce(deps: CreateOrderDeps, order: Order, request: OrderRequest, acceptedCents: number) {
  const caller = customerCaller(order);
  const isAsEntered =
    order.status !== 'unplaced' ||
    order.chargeState === 'pending' ||
    (isDeepStrictEqual(request, order.request) && order.quote.totalWithTipCents === acceptedCents);
  const stored = isAsEntered ? order : await changeCart(deps, caller, order, request);
  if (stored.status !== 'unplaced') return stored;
  const { quoteId } = stored.quote;
  return finalizeOrder(deps, caller, order.orderId, { totalCents: acceptedCents, quoteId });
}

/** Requests a new order with the same cart, as soon as possible and without the card of the first order. */
function repeatedRequest({ orderId, request, quote }: Order, without: ReadonlySet<number>): OrderRequest {
  const { checkoutReturnUrl, placedBy: _, agent: _agent, payerId: _payer, ...rest } = request;
  const leftOut = quote.items.flatMap(({ name }, index) => (without.has(index) ? [name] : []));
  return {
    ...rest,
    ...(checkoutReturnUrl === undefined ? {} : { checkoutReturnUrl }),
    // The requested substitutes may be gone too, so a missing item is refunded instead.
    items: request.items.filter((_, index) => !without.has(index)).map(({ substitution: _, ...item }) => item),
    scheduledId: null,
    paymentMethodId: null,
    ...(isOfSignIn(request) && { payerId: request.customer.userId }),
    customerOrderId: '',
    enteredOnCheckout: [],
    repeats: orderId,
    leftOut,
  };
}

/** Indices of the faulty items; undefined if an error concerns anything else. */
function faultyItems(faults: readonly OrderFault[]): ReadonlySet<number> | undefined {
  const indices = faults.flatMap(({ name }) => itemIndexIn(name) ?? []);
  return indices.length < faults.length ? undefined : new Set(indices);
}

const MAX_REPEATS = 20;

/**
 * Quotes the cart of an ended order again at current prices. Items that are no longer sold are left out and listed on
 * the checkout. Until the new order is placed, further calls return it. Refuses like quoting.
 */
export async function repeatOrder(deps: CreateOrderDeps, order: Order): Promise<Order> {
  let idempotencyKey = `repeat:${order.orderId}`;
  let without: ReadonlySet<number> = new Set();
  for (let tries = 1; ; tries += 1) {
    try {
      const cart = { request: repeatedRequest(order, without) };
      const { order: repeated } = await quoteCart(deps, customerCaller(order), cart, {
        idempotencyKey,
        warn: () => {},
      });
      if (repeated.status === 'unplaced' || tries === MAX_REPEATS) return repeated;
      idempotencyKey = `repeat:${repeated.orderId}`;
    } catch (error) {
      const gone = error instanceof OrderRefused && without.size === 0 ? faultyItems(error.faults) : undefined;
      const isWhole = !gone || gone.size === order.request.items.length;
      if (isWhole && !(isOfRival(error) && tries < MAX_TRIES)) throw error;
      if (gone) without = gone;
      else await delay(RETRY_PAUSE_MS);
    }
  }
}

/**
 * Continues the charge that the customer has approved at the bank. Refuses like finalizing; an order without a
 * charge awaiting approval is returned unchanged.
 */
export async function continueCheckout(deps: CreateOrderDeps, order: Order, isUnattended = false): Promise<Order> {
  if (order.status !== 'unplaced' || order.chargeState !== 'waiting') return order;
  const { totalWithTipCents: totalCents, quoteId } = order.quote;
  return finalizeOrder(deps, customerCaller(order), order.orderId, { totalCents, quoteId, isUnattended });
}
