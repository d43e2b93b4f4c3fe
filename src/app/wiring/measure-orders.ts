import type { WaitingEvent } from '../../ordering/orders/order-events.db.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';

/** Buckets in seconds: from an automatic confirmation to half an hour, after which few customers still wait. */
const CONFIRM_BUCKETS = [5, 15, 30, 60, 120, 180, 300, 600, 900, 1800];
/** Reasons that the service itself writes. Texts of accounts and stores must not become labels. */
export const KNOWN_REASONS: ReadonlySet<string> = new Set([
  'store_did_not_confirm',
  'courier_gave_up',
  'not_placed_in_time',
  'out_of_stock',
  'canceled_by_store',
]);

/**
 * Counts order events when they are dispatched, so that each counts once over all nodes. A worker that dies right after
 * the commit leaves one batch uncounted.
 */
export function countOrderEvents(metrics: Metrics): (events: readonly WaitingEvent[]) => void {
  const count = metrics.countBy({
    name: 'doorstep_order_events_total',
    help: 'Events of orders, by type, mode of the key and mode of the order.',
    labels: ['type', 'key_mode', 'mode'],
  });
  const cancel = metrics.countBy({
    name: 'doorstep_order_cancelations_total',
    help: 'Canceled orders, by reason (other: a text of an account, a store or an operator) and mode of the key.',
    labels: ['reason', 'key_mode'],
  });
  const confirm = metrics.histogram({
    name: 'doorstep_order_confirm_seconds',
    help: 'Time from the offer of an order to its store until the store has confirmed, by mode of the key.',
    labels: ['key_mode'],
    buckets: CONFIRM_BUCKETS,
  });
  return (events) => {
    for (const event of events) {
      const { type, mode: key_mode, orderMode, offerAt, at } = event;
      count({ type: type.slice('order.'.length), key_mode, mode: orderMode });
      if (type === 'order.confirmed') confirm({ key_mode }, Math.max(0, offerAt.until(at).total('seconds')));
      if (event.type === 'order.canceled') {
        const { reason } = event.data;
        cancel({ reason: KNOWN_REASONS.has(reason) ? reason : 'other', key_mode });
      }
    }
  };
}
