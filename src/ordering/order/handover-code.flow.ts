import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Sql } from '../../platform/db/connect.ts';
import { optionalText, optionalWhole } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Order } from './order.ts';
import { saveProgress } from './orders.db.ts';

/** After this many wrong codes, only an operator can complete the order. */
export const MAX_CODE_TRIES = 5;

/** The request field that completes an order. */
export const HANDOVER_CODE = optionalText(20, "The PIN on the customer's order page. Required with `drop_off.code`.");

/** The request field that completes an order paid at the handoff. Up to $100,000. */
export const COLLECTED_CENTS = optionalWhole(
  0,
  10_000_000,
  'The amount collected, in cents. Defaults to `to_collect_cents`. Ignored if there is nothing to collect.',
);

/** Keeps the order's PIN or draws a new one; null if the customer requires none. */
export function handoverCodeFor({ customer }: Order['request'], known: string | null = null): string | null {
  return customer.dropOff?.code ? (known ?? String(randomInt(10_000)).padStart(4, '0')) : null;
}

/**
 * Checks the PIN of a locked order. Returns wrong_code instead of throwing it, so that the transaction keeps the
 * number of incorrect PINs. A missing PIN isn't counted.
 */
export async function checkHandoverCode(tx: Sql, order: Order, code = ''): Promise<Refusal | undefined> {
  const { handoverCode, handoverTries } = order;
  if (handoverCode === null) return undefined;
  if (handoverTries >= MAX_CODE_TRIES)
    return wrongCode('was incorrect five times: only an operator can complete the order');
  if (timingSafeEqual(hash('sha256', code, 'buffer'), hash('sha256', handoverCode, 'buffer'))) return undefined;
  if (code === '') return wrongCode("is missing: the customer's order page shows it");
  await saveProgress(tx, { ...order, handoverTries: handoverTries + 1 });
  return wrongCode(`is incorrect; tries left: ${MAX_CODE_TRIES - handoverTries - 1}`);
}

const wrongCode = (why: string) => new Refusal('wrong_code', `The PIN ${why}.`);
