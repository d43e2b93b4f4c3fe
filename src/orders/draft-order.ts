import type { Caller } from '../accounts/account.ts';
import type { Order } from './order.ts';
import type { QuotedOrder } from './quote-order.flow.ts';

/**
 * A quoted order, unplaced, with nothing charged and nothing held. One that `replaces` another is that order with
 * another request or quote: it keeps its age and its count of charges, so that no key of a charge serves twice.
 */
export function draftOrder(
  { accountId, mode }: Caller,
  { store, request, quote }: Pick<QuotedOrder, 'store' | 'request' | 'quote'>,
  { orderId, idempotencyKey, replaces, now }: DraftFacts,
): Order {
  return {
    orderId,
    accountId,
    mode,
    storeId: store.storeId,
    status: 'unplaced',
    request,
    quote,
    idempotencyKey,
    chargeState: 'none',
    chargeAttempt: replaces?.chargeAttempt ?? 0,
    chargeStartedAt: null,
    chargeId: null,
    chargedCents: 0,
    refundedCents: 0,
    stockHeld: [],
    slotHeld: false,
    isReady: false,
    driver: {},
    driverStage: 'none',
    cancelReason: null,
    eta: null,
    createdAt: replaces?.createdAt ?? now,
    placedAt: null,
    confirmBy: null,
    completedAt: null,
    canceledAt: null,
    lastSequence: 0,
  };
}

type DraftFacts = {
  orderId: string;
  idempotencyKey: string | null;
  replaces: Order | undefined;
  now: Temporal.Instant;
};
