import { deleteCustomer } from '../../access/customers/customers.db.ts';
import { clearAnswers } from '../../access/idempotency/idempotency.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { clearPersonalData, type PersonalData } from '../../platform/db/personal-data.db.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { deleteCardSetups } from '../payments/card-setups.db.ts';
import { FORGET_CARD } from '../payments/cards.job.ts';
import { forgetPaymentMethods } from '../payments/payment-methods.db.ts';
import {
  type AccountUser,
  deleteOrders,
  hasOpenOrder,
  lockOrdersOfUser,
  unfavorOrders,
} from './forgotten-orders.db.ts';

/** Orders that one call forgets; a caller with more repeats it. */
const MAX_ORDERS = 1000;

export type ForgetDeps = { jobs: Jobs; personalData: readonly PersonalData[] };

/** `isComplete`: no order of the user is left. */
export type ForgottenUser = { orders: number; unplacedOrders: number; cards: number; isComplete: boolean };

/**
 * Forgets a user in the caller's transaction: ended orders lose their personal data, unplaced ones are deleted, and so
 * are cards, favorites, and sign-ins. Refuses with `order_open` while an order is under way. An unplaced order with a
 * charge attempt loses its personal data and is deleted by age, because a late charge may appear and must be refunded.
 */
export async function forgetUser(
  { jobs, personalData }: ForgetDeps,
  tx: Sql,
  user: AccountUser,
  at: Temporal.Instant,
): Promise<ForgottenUser> {
  if (await hasOpenOrder(tx, user)) {
    throw new Refusal('order_open', 'The user has an order in progress. Repeat this request after it has ended.');
  }
  const orders = await lockOrdersOfUser(tx, user, MAX_ORDERS);
  const isDeleted = ({ isUnplaced, wasCharged }: (typeof orders)[number]) => isUnplaced && !wasCharged;
  const idsOf = (some: typeof orders) => some.map(({ orderId }) => orderId);
  const kept = idsOf(orders.filter((order) => !isDeleted(order)));
  await clearPersonalData(tx, personalData, kept);
  await unfavorOrders(tx, kept);
  await deleteOrders(tx, idsOf(orders.filter(isDeleted)));
  await deleteCustomer(tx, user);
  await deleteCardSetups(tx, user);
  const tokens = await forgetPaymentMethods(tx, user, at);
  await jobs.enqueueMany(
    tx,
    FORGET_CARD,
    tokens.map((token) => ({ payload: { token, mode: user.mode } })),
  );
  await clearAnswers(tx, user, idsOf(orders));
  const unplacedOrders = orders.filter(({ isUnplaced }) => isUnplaced).length;
  return {
    orders: orders.length - unplacedOrders,
    unplacedOrders,
    cards: tokens.length,
    isComplete: orders.length < MAX_ORDERS,
  };
}
