import type { Caller } from '../accounts/account.ts';
import type { Sql } from '../db/connect.ts';
import { randomId } from '../lib/random-id.ts';
import { type SavedCard, tokenNotAccepted } from './payment-gateway.ts';
import { findMethodOfToken, insertPaymentMethod } from './payment-methods.db.ts';

/** The account, its world, and the user to whom a card belongs. */
export type CardOwner = Pick<Caller, 'accountId' | 'mode'> & { userId: string; userEmail: string };

/**
 * Stores a card of the gateway as a payment method, and returns the id of the payment method. A card of the gateway is one
 * payment method: the same user gets the id that the card has already, anybody else is refused.
 */
export async function savePaymentMethod(
  sql: Sql,
  owner: CardOwner,
  { token: gatewayToken, ...card }: SavedCard,
  at: Temporal.Instant,
): Promise<string> {
  const { accountId, mode, userId, userEmail } = owner;
  const paymentMethodId = randomId('pm_');
  const method = { ...card, ...{ accountId, mode, gatewayToken, paymentMethodId, userId, userEmail, at } };
  if (await insertPaymentMethod(sql, method)) return paymentMethodId;
  const known = await findMethodOfToken(sql, owner, gatewayToken);
  if (known?.userId !== userId) throw tokenNotAccepted();
  return known.paymentMethodId;
}
