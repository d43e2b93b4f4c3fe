import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { randomId } from '../lib/random-id.ts';
import type { EventHandler } from '../orders/dispatch-events.flow.ts';
import { findEvents } from '../orders/order-events.db.ts';
import { insertDeliveries } from './deliveries.db.ts';
import { bodyOf } from './delivery-body.ts';
import { whoListens } from './endpoints.db.ts';
import { ownerKey } from './webhook.ts';

/**
 * One call for each event of orders whose owner has named an endpoint. Where that is switched off the call is written
 * down as dead: nobody is called, and a replay brings it once the endpoint is back.
 */
export function webhookEvents({ config, clock }: { config: Config; clock: Clock }): EventHandler {
  return async (tx, events) => {
    const listeners = await whoListens(tx, [...new Set(events.map(({ accountId }) => accountId))]);
    // Orders are read whole only where somebody is told of them.
    const heard = await findEvents(
      tx,
      events.filter((event) => listeners.has(ownerKey(event))),
    );
    if (heard.length === 0) return;
    const now = clock.now();
    const deliveries = heard.map((event) => ({
      webhookId: randomId('msg_'),
      accountId: event.order.accountId,
      mode: event.order.mode,
      orderId: event.order.orderId,
      sequence: event.sequence,
      type: event.type,
      body: bodyOf(event, config.trackingUrl),
      at: event.at,
      nextAttemptAt: listeners.get(ownerKey(event.order)) ? now : null,
    }));
    await insertDeliveries(tx, deliveries);
  };
}
