import { Refusal } from '../../http/refusal.ts';
import { randomId } from '../../lib/random-id.ts';
import { gatewayOf } from '../../payments/payment-gateway.ts';
import { draftOrder } from '../draft-order.ts';
import type { Order } from '../order.ts';
import type { CreateOrderDeps } from '../order-deps.ts';
import { chargeAndFinish } from '../place-order.flow.ts';
import { type NamedInputs, type QuotedOrder, quoteByInputs } from '../quote-order.flow.ts';
import type { SeenInputs } from './insert-recalled.db.ts';

/**
 * Places a new order by inputs that this node has in memory, and charges its card: a round trip less than reading the
 * inputs first. The statement that stores the order finds each input unchanged, or stores nothing (ADR 53). Undefined,
 * with nothing changed, where an input is not in memory or has changed, where the order would be refused, has nothing to
 * charge, or holds a window or stock, and where its Idempotency-Key has an order already.
 */
export async function placeRecalled(
  deps: CreateOrderDeps,
  named: NamedInputs,
  idempotencyKey: string | null,
): Promise<Order | undefined> {
  const { request, query } = named;
  const { caller } = query;
  if (!request.chargeUser || request.scheduledId !== null || request.enableSubstitution) return undefined;
  const recalled = await quoteRecalled(deps, named);
  if (!recalled) return undefined;
  const { quoted, seen } = recalled;
  const { paymentMethod, quote, stock } = quoted;
  if (!paymentMethod || quote.totalWithTipCents <= 0 || stock.length > 0) return undefined;
  const gateway = gatewayOf(deps.gateways, caller.mode);
  const now = deps.clock.now();
  const draft = draftOrder(caller, quoted, { orderId: randomId('ord_', 18), idempotencyKey, replaces: undefined, now });
  const order: Order = { ...draft, chargeAttempt: 1, chargeStartedAt: now, chargeState: 'pending' };
  if (!(await deps.placing.insertRecalled({ order, seen }))) return undefined;
  const attempt = { order, cardToken: paymentMethod.gatewayToken, isNew: true, keyId: caller.keyId };
  return chargeAndFinish(deps, gateway, attempt);
}

/** A refusal by inputs of memory counts for nothing: the order is judged again by inputs that are read. */
async function quoteRecalled(
  deps: CreateOrderDeps,
  named: NamedInputs,
): Promise<{ quoted: QuotedOrder; seen: SeenInputs } | undefined> {
  const recalled = deps.placing.recallInputs(named.query);
  if (!recalled || named.otherIds.length > 0) return undefined;
  try {
    return { quoted: await quoteByInputs(deps, named, recalled.inputs), seen: recalled.seen };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
