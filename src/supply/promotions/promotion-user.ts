/*
 * Whose uses of a promotion count together: the `user_id` of an account, or the phone of a customer without one. The rows
 * have their HMAC, so that the counts stay when the user is forgotten.
 */

type Signer = { sign(kind: string, payload: Uint8Array): string };

/** `userId` or `phone` is absent. */
export type PromotionUser = { hash: string; userId?: string; phone?: string };

/** Orders of a customer without a `user_id` have their own id in its place, or that of a platform's checkout. */
const OWN_ID = /^(ord|chk)_/;

type Customer = { userId: string; phone: number | null };

/** The `user_id`, else the phone; neither of a customer of whom nothing is known. */
function knownOf({ userId, phone }: Customer): { userId?: string; phone?: string } {
  if (userId !== '' && !OWN_ID.test(userId)) return { userId };
  return phone === null ? {} : { phone: String(phone) };
}

export const isUserKnown = (customer: Customer): boolean => Object.keys(knownOf(customer)).length > 0;

/** Undefined while neither id nor phone is known. */
export function promotionUserOf(tokens: Signer, accountId: string, customer: Customer): PromotionUser | undefined {
  if (!isUserKnown(customer)) return undefined;
  const known = knownOf(customer);
  const name = JSON.stringify([accountId, known.userId ?? null, known.phone ?? null]);
  return { hash: tokens.sign('promotion user', Buffer.from(name)), ...known };
}

/** `card`: its fingerprint, or the gateway's token of it. */
export function cardHashOf(tokens: Signer, accountId: string, card: string): string {
  return tokens.sign('promotion card', Buffer.from(JSON.stringify([accountId, card])));
}
