import type { Caller } from '../accounts/account.ts';
import type { Order } from './order.ts';
import { PROGRESS_START } from './order-row.ts';
import type { QuotedOrder } from './quote-order.flow.ts';

/**
 * A quoted, unplaced order without charge and holds. An order that `replaces` another keeps that order's age and count of
 * charge attempts, so that no charge key is used twice.
 */
export function draftOrder(
  { accountId, mode }: Caller,
  { store, request, quote }: Pick<QuotedOrder, 'store' | 'request' | 'quote'>,
  { orderId, idempotencyKey, replaces, now }: Draft,
): Order {
  return {
    ...PROGRESS_START,
    ...{ orderId, accountId, mode, storeId: store.storeId, request, quote, idempotencyKey },
    chargeAttempt: replaces?.chargeAttempt ?? 0,
    createdAt: replaces?.createdAt ?? now,
  };
}

type Draft = {
  orderId: string;
  idempotencyKey: string | null;
  replaces: Order | undefined;
  now: Temporal.Instant;
};
