import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { findCheckoutCard } from '../payments/card-setups.db.ts';
import type { PaymentMethod } from '../payments/payment-method.ts';
import { findPaymentMethod } from '../payments/payment-methods.db.ts';
import { openCheckoutToken } from './checkout-link.ts';
import type { FrozenQuote, Order, OrderRequest } from './order.ts';
import { missingToPlace } from './order-body.ts';
import type { CreateOrderDeps, OrderDeps } from './order-deps.ts';
import { type OrderFault, OrderRefused } from './order-faults.ts';
import { findAnyOrder } from './orders.db.ts';
import { createOrder, finalizeOrder, requoteOrder } from './place-order.flow.ts';
import { quoteOrder } from './quote-order.flow.ts';

/*
 * The hosted checkout of an unplaced order, whose state is the order itself: the customer's entries become part of its
 * request, and it is placed like `POST /order/finalize`. Only a total that the customer accepts is charged.
 */

/** The order that a link names, in any status; undefined for a link that names none, or an earlier link of the order. */
export async function findCheckoutOrder(
  { db, tokens }: Pick<OrderDeps, 'db' | 'tokens'>,
  token: string,
): Promise<Order | undefined> {
  const opened = openCheckoutToken(tokens, token);
  const order = opened && (await findAnyOrder(db, opened.orderId));
  return order && order.checkoutKey === opened.checkoutKey ? order : undefined;
}

/** Cards that are declined on an account's checkouts count together, as those of one API key do. */
function callerOf({ accountId, mode }: Order): Caller {
  return { accountId, mode, keyId: `checkout:${accountId}` };
}

/** An order on its hosted checkout, with the request, and brand and last digits of the card to be charged. */
export type Checkout = {
  order: Order;
  request: OrderRequest;
  card: Pick<PaymentMethod, 'brand' | 'last4'> | undefined;
};

/**
 * An order with the card that its customer entered last, else the one that the client named. A card that was deleted, or is
 * another user's, counts as not entered. A customer whom the client gave no `user_id` has the order's id.
 */
export async function readCheckout(sql: Sql, order: Order): Promise<Checkout> {
  const customer = { ...order.request.customer, userId: order.request.customer.userId || order.orderId };
  const cardOf = async (id: string | null | undefined) => {
    const method = id ? await findPaymentMethod(sql, order, id) : undefined;
    return method?.userId === customer.userId ? method : undefined;
  };
  const entered = await findCheckoutCard(sql, order.orderId);
  const card = (await cardOf(entered)) ?? (await cardOf(order.request.paymentMethodId));
  return { order, request: { ...order.request, customer, paymentMethodId: card?.paymentMethodId ?? null }, card };
}

/** What the order would cost now, or why it cannot be placed. */
export type Review = { quote: FrozenQuote } | { faults: readonly OrderFault[] };

export async function reviewCheckout(deps: CreateOrderDeps, { order, request }: Checkout): Promise<Review> {
  try {
    return { quote: (await quoteOrder(deps, callerOf(order), request)).quote };
  } catch (error) {
    if (error instanceof OrderRefused) return { faults: error.faults };
    throw error;
  }
}

/**
 * Stores what the customer entered. Refuses as quoting does, and with quote_changed where the client, or another tab, has
 * just changed the order; an order that was placed meanwhile is returned as it is.
 */
export async function saveCheckout(deps: CreateOrderDeps, order: Order, request: OrderRequest): Promise<Order> {
  return isDeepStrictEqual(request, order.request) ? order : requoteOrder(deps, callerOf(order), order, request);
}

/** What a customer still has to enter before the order can be placed. */
export function missingOnCheckout(request: OrderRequest): string[] {
  return missingToPlace(request).map(({ name }) => name);
}

/** Two tabs, a double click, a repeated submission: the later one waits for the first, and has its outcome. */
const MAX_TRIES = 8;
const PAUSE_MS = 250;

/**
 * Places an order with what its customer entered, at the total that the customer accepted. `enter` adds the entries to the
 * order, again after a rival has stored it: the client's changes are kept. Refuses as finalizing does, and with
 * quote_changed, nothing charged, where it costs another total now.
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
    if (error.code === 'idempotency_in_progress') await delay(PAUSE_MS);
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
  const caller = callerOf(order);
  const isAsEntered =
    order.status !== 'unplaced' ||
    order.chargeState === 'pending' ||
    (isDeepStrictEqual(request, order.request) && order.quote.totalWithTipCents === acceptedCents);
  const stored = isAsEntered ? order : await requoteOrder(deps, caller, order, request);
  if (stored.status !== 'unplaced') return stored;
  const { quoteId } = stored.quote;
  return finalizeOrder(deps, caller, order.orderId, { totalCents: acceptedCents, quoteId });
}

/** Starts a new order with the same cart, as soon as possible and without the card of the first order. */
function repeatedRequest({ orderId, request, quote }: Order, without: ReadonlySet<number>): OrderRequest {
  const { checkoutReturnUrl, ...rest } = request;
  const leftOut = quote.items.flatMap(({ name }, index) => (without.has(index) ? [name] : []));
  return {
    ...rest,
    ...(checkoutReturnUrl === undefined ? {} : { checkoutReturnUrl }),
    // The requested substitutes may be gone as well, so a missing item is refunded instead.
    items: request.items.filter((_, index) => !without.has(index)).map(({ substitution: _, ...item }) => item),
    scheduledId: null,
    paymentMethodId: null,
    customerOrderId: '',
    enteredOnCheckout: [],
    repeats: orderId,
    leftOut,
  };
}

/** Items of an order that faults name; undefined where another fault is among them. */
function faultyItems(faults: readonly OrderFault[]): ReadonlySet<number> | undefined {
  const indices = faults.map(({ name }) => /^items\[(\d+)\]/.exec(name)?.[1]);
  return indices.includes(undefined) ? undefined : new Set(indices.map(Number));
}

const MAX_REPEATS = 20;

/**
 * Puts the cart of an ended order together again, at the prices of now: what is gone is left out, and named on the checkout.
 * Repeated before the new order is placed, it is the same order. Refuses as quoting does.
 */
export async function repeatOrder(deps: CreateOrderDeps, order: Order): Promise<Order> {
  let idempotencyKey = `repeat:${order.orderId}`;
  let without: ReadonlySet<number> = new Set();
  for (let tries = 1; ; tries += 1) {
    try {
      const command = { request: repeatedRequest(order, without), place: false, replaces: null, idempotencyKey };
      const repeated = await createOrder(deps, callerOf(order), command);
      if (repeated.status === 'unplaced' || tries === MAX_REPEATS) return repeated;
      idempotencyKey = `repeat:${repeated.orderId}`;
    } catch (error) {
      const gone = error instanceof OrderRefused && without.size === 0 ? faultyItems(error.faults) : undefined;
      const isWhole = !gone || gone.size === order.request.items.length;
      if (isWhole && !(isOfRival(error) && tries < MAX_TRIES)) throw error;
      if (gone) without = gone;
      else await delay(PAUSE_MS);
    }
  }
}

/**
 * Goes on with the charge that the customer has approved at the bank. Refuses as finalizing does; an order whose charge does
 * not wait is returned as it is.
 */
export async function continueCheckout(deps: CreateOrderDeps, order: Order): Promise<Order> {
  if (order.status !== 'unplaced' || order.chargeState !== 'waiting') return order;
  const { totalWithTipCents: totalCents, quoteId } = order.quote;
  return finalizeOrder(deps, callerOf(order), order.orderId, { totalCents, quoteId });
}
