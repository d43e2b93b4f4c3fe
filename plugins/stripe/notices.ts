import type { GatewayNotice, GatewayNotices } from 'doorstep/plugin';
import {
  codeWord,
  instantOfEpochSeconds,
  invalidRequest,
  isJsonObject,
  type JsonObject,
  memberOf,
  objectIn,
} from 'doorstep/plugin';
import Stripe from 'stripe';
import { nonEmptyText } from './client.ts';

/** Maximum age in seconds of a signed webhook call, against replay. Stripe signs the time of each attempt. */
const TOLERANCE_SECONDS = 300;

/**
 * Reads calls of Stripe's webhook. Only an event's type and object ids are used, because its object's version and age
 * differ from the pinned ones; the adapter reads the object again.
 */
export function createStripeNotices(secret: string): GatewayNotices {
  return {
    read: async ({ body, headers, now }) => {
      const signature = [headers['stripe-signature']].flat()[0];
      const event = await verified(body, signature, secret, now);
      return noticeOf(event);
    },
  };
}

async function verified(
  body: Buffer,
  signature: string | undefined,
  secret: string,
  now: Temporal.Instant,
): Promise<JsonObject> {
  try {
    if (signature === undefined) throw new Error('unsigned');
    // The package selects its own hash provider.
    const given = [body, signature, secret, TOLERANCE_SECONDS, undefined, now.epochMilliseconds] as const;
    const event: unknown = await Stripe.webhooks.constructEventAsync(...given);
    if (isJsonObject(event)) return event;
  } catch {
    // Hides the package's error, which contains the body and signature.
  }
  throw invalidRequest([{ in: 'header', name: 'Stripe-Signature', message: 'does not fit this body and time' }]);
}

function noticeOf(event: JsonObject): GatewayNotice | undefined {
  const object = objectIn(objectIn(event, 'data'), 'object');
  const chargeId = nonEmptyText(memberOf(object, 'payment_intent'));
  switch (memberOf(event, 'type')) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled': {
      const intentId = nonEmptyText(memberOf(object, 'id'));
      return intentId === undefined ? undefined : { kind: 'charge', chargeId: intentId };
    }
    case 'charge.expired':
      return chargeId === undefined ? undefined : { kind: 'charge', chargeId };
    case 'charge.refunded':
    case 'charge.refund.updated':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return chargeId === undefined ? undefined : { kind: 'refund', chargeId };
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return chargeId === undefined ? undefined : disputeOf(event, object, chargeId);
    case 'checkout.session.completed':
    case 'checkout.session.expired':
      return setupOf(object);
    default:
      return undefined;
  }
}

function disputeOf(event: JsonObject, object: JsonObject, chargeId: string): GatewayNotice {
  const [eventId, amountCents, created] = [
    memberOf(event, 'id'),
    memberOf(object, 'amount'),
    memberOf(event, 'created'),
  ];
  if (typeof eventId !== 'string' || !Number.isSafeInteger(amountCents) || !Number.isSafeInteger(created))
    return { kind: 'unreadable' };
  return {
    kind: 'dispute',
    eventId,
    at: instantOfEpochSeconds(Number(created)),
    chargeId,
    amountCents: Number(amountCents),
    status: codeWord(memberOf(object, 'status')) ?? 'unknown',
    reason: codeWord(memberOf(object, 'reason')) ?? 'unknown',
  };
}

function setupOf(object: JsonObject): GatewayNotice | undefined {
  const [setupId, session] = [
    nonEmptyText(memberOf(object, 'client_reference_id')),
    nonEmptyText(memberOf(object, 'id')),
  ];
  if (memberOf(object, 'mode') !== 'setup' || setupId === undefined || session === undefined) return undefined;
  return { kind: 'setup', setupId, session };
}
