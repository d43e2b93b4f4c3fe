import { findUsed, markShown } from '../../supply/promotions/shown-promotions.db.ts';
import type { EventHandler } from './dispatch-events.flow.ts';
import type { OrderEventType } from './order-events.ts';

const TAKES: readonly OrderEventType[] = ['order.placed'];
const GIVES_BACK: readonly OrderEventType[] = ['order.canceled', 'order.captured', 'order.completed'];

/** Lets stores list promotions as the limits allow once live orders have used them. */
export const showUsedOffers: EventHandler = async (tx, events) => {
  for (const types of [TAKES, GIVES_BACK]) {
    const used = events.filter(
      ({ type, mode, isDiscounted }) => isDiscounted && mode === 'live' && types.includes(type),
    );
    const orderIds = used.map(({ orderId }) => orderId);
    const changed = orderIds.length === 0 ? [] : await findUsed(tx, orderIds, types === GIVES_BACK);
    for (const promotionId of changed) await markShown(tx, promotionId);
  }
};
