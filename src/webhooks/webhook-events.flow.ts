import type { TrackingSites } from '../accounts/tracking-sites.cache.ts';
import type { Clock } from '../lib/clock.ts';
import { randomId } from '../lib/random-id.ts';
import type { EventHandler } from '../orders/dispatch-events.flow.ts';
import { findEvents } from '../orders/order-events.db.ts';
import { bodyOf } from './call-body.ts';
import { insertCalls } from './calls.db.ts';
import { whoListens } from './endpoints.db.ts';
import { ownerKey } from './webhook.ts';

/**
 * Writes one call for each event of an order whose owner has an endpoint. For an endpoint that is switched off the call is
 * dead from the start; a replay makes it once the endpoint is on again.
 */
export function webhookEvents({
  clock,
  trackingSites,
}: {
  clock: Clock;
  trackingSites: Pick<TrackingSites, 'siteOf'>;
}): EventHandler {
  return async (tx, events) => {
    const listeners = await whoListens(tx, [...new Set(events.map(({ accountId }) => accountId))]);
    // Read whole orders only for owners with an endpoint.
    const heard = await findEvents(
      tx,
      events.filter((event) => listeners.has(ownerKey(event))),
    );
    if (heard.length === 0) return;
    const now = clock.now();
    const calls = heard.map((event) => ({
      webhookId: randomId('msg_'),
      accountId: event.order.accountId,
      mode: event.order.mode,
      orderId: event.order.orderId,
      sequence: event.sequence,
      type: event.type,
      body: bodyOf(event, trackingSites.siteOf(event.order.accountId)),
      at: event.at,
      nextAttemptAt: listeners.get(ownerKey(event.order)) ? now : null,
    }));
    await insertCalls(tx, calls);
  };
}
