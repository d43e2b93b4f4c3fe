import type { Db } from '../db/connect.ts';
import { Refusal } from '../http/refusal.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { findAnyOrder } from '../orders/orders.db.ts';
import { type DriverLink, isLinkAlive, openDriverLink } from './driver-link.ts';
import type { Delivery } from './driver-view.ts';
import { findProof } from './proofs.db.ts';

/** One refusal for a link that never was, was replaced, or has ended. */
export function linkNotFound(): Refusal {
  return new Refusal('order_not_found', 'This link does not work, or not any more.');
}

/** The delivery of a link; undefined once the link has ended. */
export async function findDelivery(
  { db, tokens }: { db: Db; tokens: TokenSealer },
  token: string,
): Promise<Delivery | undefined> {
  const link = openDriverLink(tokens, token);
  const order = link && (await findAnyOrder(db, link.orderId));
  if (!order || !isLinkAlive(order, link.link)) return undefined;
  return { order, proof: await findProof(db, order.orderId) };
}

/** The order and the assignment of a link. Refuses a token that is no link of this service. */
export function linkOf(tokens: TokenSealer, token: string): DriverLink {
  const link = openDriverLink(tokens, token);
  if (!link) throw linkNotFound();
  return link;
}
