import { useEffect, useState } from 'preact/hooks';
import { sortedLane } from '../../src/console/order-board.ts';
import type { StoreOrder } from '../../src/offers/present-store-order.ts';
import type { Bell } from '../bell.ts';
import { useTitle } from '../blinking-title.ts';
import type { ConsoleContext } from './console-context.ts';
import type { Snapshot } from './live-orders.ts';
import { keep, readKept } from './local-storage.ts';

const KEPT = 'seen';
/** More orders than a store has open at a time. */
const MAX_KEPT = 300;

/** The new orders that ring on this tablet, and a way to say that somebody has seen them. */
export function useRinging(
  context: ConsoleContext,
  bell: Bell,
  { orders }: Snapshot,
): { ringing: readonly StoreOrder[]; acknowledge: () => void } {
  const [seen, setSeen] = useState<readonly string[]>(() => readKept(KEPT, []));
  const ringing = sortedLane(orders.values(), 'new').filter(({ order_id }) => !seen.includes(order_id));
  const isRinging = ringing.length > 0;
  useEffect(() => bell.ring(isRinging), [isRinging]);
  const count = ringing.length;
  useTitle(
    `${context.sandbox === undefined ? '' : 'Sandbox: '}${context.storeName} · Doorstep`,
    count > 0 ? `(${count}) New ${count === 1 ? 'order' : 'orders'}` : undefined,
  );

  function acknowledge(): void {
    const now = [...seen, ...ringing.map(({ order_id }) => order_id)].slice(-MAX_KEPT);
    setSeen(now);
    keep(KEPT, now);
    for (const { order_id: id } of ringing) {
      // Confirming or canceling the order acknowledges it too: a lost answer here loses nothing.
      context.api.send('POST', `/store/orders/${encodeURIComponent(id)}/acknowledge`).catch(() => {});
    }
  }

  return { ringing, acknowledge };
}
