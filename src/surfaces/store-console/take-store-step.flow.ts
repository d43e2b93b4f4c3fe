import { type Static, type TObject, Type } from 'typebox';
import { sandboxOf } from '../../access/accounts/account.ts';
import type { Merchant } from '../../access/sessions/merchant.ts';
import { requireIdCheck } from '../../fulfillment/deliveries/require-id-check.flow.ts';
import { acknowledgeOrder } from '../../fulfillment/store-channels/received-orders.db.ts';
import type { StoreChannel } from '../../fulfillment/store-channels/store-channel.ts';
import { isCanceledBy } from '../../ordering/money/cancel-order.flow.ts';
import { delayOrder } from '../../ordering/money/delay-order.flow.ts';
import { recordStep } from '../../ordering/money/take-step.flow.ts';
import { advanceOrder, type StepDetails } from '../../ordering/order/advance-order.ts';
import { COLLECTED_CENTS, checkHandoverCode, HANDOVER_CODE } from '../../ordering/order/handover-code.flow.ts';
import {
  confirmedDetails,
  DELAY_LIMITS,
  type Delay,
  PREPARATION_MINUTES,
  readyEpochS,
} from '../../ordering/order/kitchen-times.ts';
import type { AdvanceEvent, Order } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import type { EventSource } from '../../ordering/order/order-events.ts';
import { lockOrder } from '../../ordering/order/orders.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { flag } from '../../platform/http/api-components.ts';
import type { RequestExample } from '../../platform/http/http.ts';
import { Refusal, type RefusalCode } from '../../platform/http/refusal.ts';
import { requireSeen } from './present-for-store.ts';

/*
 * A step of an order that a person at the store takes (confirm, ready, hand off, cancel): lock, rule, row and event.
 */

type StoreStepDeps = Pick<OrderDeps, 'db' | 'clock' | 'inventory'>;

/**
 * A step of a store. `detailsOf` gets the locked order; `alongside` writes in the step's transaction if the step is
 * taken.
 */
type StoreStep = {
  event: AdvanceEvent;
  detailsOf?: ((order: Order, now: Temporal.Instant) => StepDetails) | undefined;
  checks?: CompletionChecks | undefined;
  alongside?: (tx: Sql, now: Temporal.Instant) => Promise<void>;
};

/** A request to complete an order: whether an ID was checked, the customer's PIN, and the collected amount. */
type CompletionChecks = { isIdChecked: boolean; code: string | undefined; collectedCents: number | undefined };

const MAX_REASON = 200;
const ConfirmBody = Type.Object({
  preparation_minutes: Type.Integer({ ...PREPARATION_MINUTES, description: 'The minutes until the food is ready.' }),
});
export const DelayBody = Type.Object({
  minutes: Type.Integer({
    minimum: DELAY_LIMITS.minimum,
    maximum: DELAY_LIMITS.maximum,
    description: 'Minutes after `ready_by`, or after now if that has passed.',
  }),
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_REASON, description: 'The reason for the account.' }),
  ),
  ready_by: Type.Optional(
    Type.Integer({ description: "The order's value when it was read, so that repeating the request changes nothing." }),
  ),
});
const CancelBody = Type.Object({
  reason: Type.String({
    minLength: 1,
    maxLength: MAX_REASON,
    description: 'The reason for the customer and the account.',
  }),
});
const NoBody = Type.Object({});
const CompleteBody = Type.Object({
  id_checked: flag('Confirms that an ID was checked. Required for an order with alcohol (`min_age`).'),
  code: HANDOVER_CODE,
  collected_cents: COLLECTED_CENTS,
});

/** A step that is requested by a person at the store, or by an operator on its behalf. */
export type StepRequest<Body extends TObject> = {
  event: 'confirm' | 'ready' | 'pick_up' | 'complete' | 'cancel';
  body: Body;
  example?: RequestExample;
  detailsOf?(body: Static<Body>): StoreStep['detailsOf'];
  refuses?: readonly RefusalCode[];
  checksOf?(body: Static<Body>): CompletionChecks;
};

export const CONFIRM_STEP: StepRequest<typeof ConfirmBody> = {
  event: 'confirm',
  body: ConfirmBody,
  example: { body: { preparation_minutes: 20 } },
  detailsOf: (body) => (order, now) => confirmedDetails(order, body.preparation_minutes, now),
};
export const READY_STEP: StepRequest<typeof NoBody> = { event: 'ready', body: NoBody, refuses: ['weights_missing'] };
export const PICK_UP_STEP: StepRequest<typeof NoBody> = {
  event: 'pick_up',
  body: NoBody,
  refuses: ['weights_missing'],
};
export const COMPLETE_STEP: StepRequest<typeof CompleteBody> = {
  event: 'complete',
  body: CompleteBody,
  refuses: ['weights_missing', 'id_check_required', 'wrong_code'],
  checksOf: ({ id_checked: isIdChecked = false, code, collected_cents: collectedCents }) => ({
    isIdChecked,
    code,
    collectedCents,
  }),
};
export const CANCEL_STEP: StepRequest<typeof CancelBody> = {
  event: 'cancel',
  body: CancelBody,
  example: { body: { reason: 'The kitchen is closed.' } },
  detailsOf: (body) => () => ({ reason: body.reason, by: 'store' }),
};

/**
 * Takes a store's step atomically; a repeated step changes nothing. Concurrent tablets, cancelations and time-outs
 * serialize on the order's row. Refuses with order_not_found, transition_not_allowed, id_check_required and wrong_code;
 * an operator needs no code.
 */
export async function takeStoreStep(deps: StoreStepDeps, merchant: Merchant, orderId: string, step: StoreStep) {
  const now = deps.clock.now();
  const { isIdChecked = false, code, collectedCents } = step.checks ?? {};
  const outcome = await deps.db.transaction().execute(async (tx) => {
    const locked = await lockForStep(tx, merchant, orderId, now);
    if (await isStepDone(tx, locked, step.event)) return locked;
    const stepped = advanceOrder(locked, step.event, now, {
      ...step.detailsOf?.(locked, now),
      idCheckedBy: isIdChecked ? merchant.source : undefined,
      source: sourceOf(merchant),
      collectedCents,
      collectedBy: 'store',
    });
    if (step.event === 'complete') {
      const refusal = merchant.source === 'operator' ? undefined : await checkHandoverCode(tx, locked, code);
      if (refusal) return refusal;
      await requireIdCheck(tx, locked, isIdChecked, now);
    }
    await step.alongside?.(tx, now);
    return recordStep(tx, stepped, now);
  });
  if (outcome instanceof Refusal) throw outcome;
  if (outcome.status === 'canceled') deps.inventory.evict(outcome.storeId, sandboxOf(outcome));
  return outcome;
}

/** Locks an order that the store sees and acknowledges it: taking a step shows that the store has seen it. */
async function lockForStep(tx: Sql, merchant: Merchant, orderId: string, now: Temporal.Instant): Promise<Order> {
  const locked = requireSeen(merchant, await lockOrder(tx, orderId), now);
  if (merchant.mode === 'live') await acknowledgeOrder(tx, orderId, channelOf(merchant), now);
  return locked;
}

/**
 * Delays an order as a step of its store. With the `ready_by` that the caller has read, an order that has been delayed
 * since is returned unchanged. Refuses with order_not_found and transition_not_allowed.
 */
export async function delayStoreOrder(
  { db, clock }: StoreStepDeps,
  merchant: Merchant,
  orderId: string,
  { readEpochS, ...delay }: Omit<Delay, 'source'> & { readEpochS: number | undefined },
): Promise<Order> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const locked = await lockForStep(tx, merchant, orderId, now);
    if (readEpochS !== undefined && readEpochS !== readyEpochS(locked)) return locked;
    return delayOrder(tx, locked, { ...delay, source: sourceOf(merchant) }, now);
  });
}

/**
 * The channel that a step acknowledges: a store key is a webhook's. Undefined for a link, which may have been sent by
 * email or SMS.
 */
export function channelOf({ source }: Merchant): StoreChannel | undefined {
  if (source === 'session') return 'console';
  if (source === 'operator') return 'operator';
  return source === 'key' ? 'webhook' : undefined;
}

/** The source that an event names. */
export const sourceOf = ({ isPos }: Merchant): EventSource => (isPos ? 'pos' : undefined);

const STAGES: readonly Order['driverStage'][] = ['none', 'assigned', 'picked_up', 'nearby'];
const isAtStage = (order: Order, stage: Order['driverStage']) =>
  STAGES.indexOf(order.driverStage) >= STAGES.indexOf(stage);
const isConfirmed = ({ status }: Order) => status === 'in_progress' || status === 'completed';

const DONE: Readonly<Record<AdvanceEvent, (order: Order) => boolean>> = {
  confirm: isConfirmed,
  ready: (order) => order.isReady && isConfirmed(order),
  assign_driver: () => false,
  pick_up: (order) => isConfirmed(order) && isAtStage(order, 'picked_up'),
  approach: (order) => isConfirmed(order) && isAtStage(order, 'nearby'),
  complete: ({ status }) => status === 'completed',
  cancel: ({ status }) => status === 'canceled',
};

/**
 * Whether an order has already taken a step, so that repeating it changes nothing. Another driver is another step, and
 * so is the cancelation of an order that another side has canceled.
 */
async function isStepDone(tx: Sql, order: Order, event: AdvanceEvent): Promise<boolean> {
  return DONE[event](order) && (event !== 'cancel' || (await isCanceledBy(tx, order.orderId, 'store')));
}
