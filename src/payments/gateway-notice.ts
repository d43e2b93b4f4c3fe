import type { JobKind } from '../jobs/jobs.ts';

/**
 * An event that the gateway tells of. Events arrive again, late and in any order, so a notice names what has changed, and
 * the gateway is asked how it stands. `disputeId` and `status` are the gateway's own words.
 */
export type GatewayNotice =
  | { kind: 'charge' | 'refund'; chargeId: string }
  | DisputeNotice
  | { kind: 'setup'; setupId: string; session: string };

export type DisputeNotice = {
  kind: 'dispute';
  eventId: string;
  at: Temporal.Instant;
  chargeId: string;
  amountCents: number;
  status: string;
  reason: string;
};

/** Reads the calls of the gateway's webhook. */
export interface GatewayNotices {
  /**
   * The notice of a call; undefined for an event of no concern. Throws a Refusal `invalid_request` for a call that the
   * gateway did not sign, or signed too long ago.
   */
  read(call: {
    body: Buffer;
    signature: string | undefined;
    now: Temporal.Instant;
  }): Promise<GatewayNotice | undefined>;
}

/** Compares a charge in the gateway's books with its order. `eventId`: an event for the operator that lacks its order. */
export const RECONCILE_CHARGE: JobKind<{ chargeId: string; eventId?: string }> = { name: 'reconcile-charge' };

/** Asks the gateway what became of a card page. */
export const RESOLVE_SETUP: JobKind<{ setupId: string; session: string }> = { name: 'resolve-card-setup' };
