import { present } from 'doorstep/collections';

/*
 * Whose uses of a promotion count together: orders with the same `user_id`, phone, mailbox or card. The rows contain
 * HMACs, so that the counts stay when the user is forgotten.
 */

type Signer = { sign(kind: string, payload: Uint8Array): string };

/** What is known of an order's customer, and its HMACs. */
export type PromotionUser = {
  userId?: string;
  phone?: string;
  email?: string;
  userHash?: string;
  phoneHash?: string;
  emailHash?: string;
};

/** Orders of a customer without a `user_id` have their own ID in its place, or the platform checkout's. */
const OWN_ID = /^(ord|chk)_/;

type Customer = { userId: string; phone: number | null; email: string };

function knownOf({ userId, phone, email }: Customer): Pick<PromotionUser, 'userId' | 'phone' | 'email'> {
  return present({
    userId: userId === '' || OWN_ID.test(userId) ? undefined : userId,
    phone: phone === null ? undefined : String(phone),
    email: email === '' ? undefined : mailboxOf(email),
  });
}

export const isUserKnown = (customer: Customer): boolean => Object.keys(knownOf(customer)).length > 0;

/** Undefined while nothing is known of the customer. */
export function promotionUserOf(tokens: Signer, accountId: string, customer: Customer): PromotionUser | undefined {
  const known = knownOf(customer);
  if (Object.keys(known).length === 0) return undefined;
  const hashOf = (...name: (string | null)[]) =>
    tokens.sign('promotion user', Buffer.from(JSON.stringify([accountId, ...name])));
  const { userId, phone, email } = known;
  return {
    ...known,
    ...present({
      userHash: userId && hashOf(userId, null),
      phoneHash: phone && hashOf(null, phone),
      emailHash: email && hashOf(null, null, email),
    }),
  };
}

/** The mailbox of an email address, as the database's `mailbox_of`: lower case, no +tag, and one Gmail without dots. */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).split('@');
  const tagAt = local.indexOf('+', 1);
  const name = tagAt < 0 ? local : local.slice(0, tagAt);
  return /^g(oogle)?mail\.com$/.test(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
