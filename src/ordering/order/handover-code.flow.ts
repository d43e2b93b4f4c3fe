import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Sql } from '../../platform/db/connect.ts';
import { optionalText, optionalWhole } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Order } from './order.ts';
import { saveProgress } from './orders.db.ts';

/** Wrong codes of an order after which only an operator completes it. */
export const MAX_CODE_TRIES = 5;

/** The member of a request that completes an order. */
export const HANDOVER_CODE = optionalText(20, "The four digits of the customer's page. Needed with `drop_off.code`.");

/** The member of a request that completes an order which is paid at the handover. At most $100,000. */
export const COLLECTED_CENTS = optionalWhole(
  0,
  10_000_000,
  'What was collected. `to_collect_cents` where omitted; ignored where nothing is to be collected.',
);

/** The code of a request: the one that its order has, or a new one; null if the customer wants none. */
export function handoverCodeFor({ customer }: Order['request'], known: string | null = null): string | null {
  return customer.dropOff?.code ? (known ?? String(randomInt(10_000)).padStart(4, '0')) : null;
}

/**
 * Checks the code for a locked order. Returns its refusal with wrong_code instead of throwing it, so that the
 * transaction keeps the count of wrong codes. A missing code does not count.
 */
export async function checkHandoverCode(tx: Sql, order: Order, code = ''): Promise<Refusal | undefined> {
  const { handoverCode, handoverTries } = order;
  if (handoverCode === null) return undefined;
  if (handoverTries >= MAX_CODE_TRIES) return wrongCode('was wrong too often: an operator can complete the order');
  if (timingSafeEqual(hash('sha256', code, 'buffer'), hash('sha256', handoverCode, 'buffer'))) return undefined;
  if (code === '') return wrongCode("is missing: the customer's page shows four digits");
  await saveProgress(tx, { ...order, handoverTries: handoverTries + 1 });
  return wrongCode(`is wrong; tries left: ${MAX_CODE_TRIES - handoverTries - 1}`);
}

const wrongCode = (why: string) => new Refusal('wrong_code', `The code ${why}.`);
