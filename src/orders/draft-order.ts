import type { Caller } from '../accounts/account.ts';
import type { Order } from './order.ts';
import { PROGRESS_START } from './order-row.ts';
import type { QuotedOrder } from './quote-order.flow.ts';

/**
 * A quoted order, unplaced, with nothing charged and nothing held. One that `replaces` another is that order with
 * another request or quote: it keeps its age and its count of charges, so that no key of a charge serves twice.
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
