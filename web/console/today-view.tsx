import { useEffect, useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { messageOf } from './api.ts';
import type { Snapshot } from './live-orders.ts';
import { Alert } from './notices.tsx';
import { dailyTotals } from './order-board.ts';
import { money, stateInWords } from './order-words.ts';
import type { Desk } from './use-step.ts';

const LOOK_MS = 60_000;

/** The orders of the store's day, and what they come to. */
export function TodayView({ desk, snapshot }: { desk: Desk; snapshot: Snapshot }) {
  const { context } = desk;
  const startEpochS = context.clock.dayStart(context.now());
  const { listed, error } = useListed(desk, startEpochS);
  const known = new Map(listed?.map((order) => [order.order_id, order]));
  for (const order of snapshot.orders.values()) known.set(order.order_id, order);
  const orders = [...known.values()]
    .filter(({ timestamp }) => timestamp >= startEpochS)
    .sort((a, b) => b.timestamp - a.timestamp);
  return (
    <div class="page">
      <div class="view-head">
        <h1>Today</h1>
        <p class="soft">{context.clock.day(startEpochS)}</p>
      </div>
      <Alert text={error} />
      <Sums orders={orders} />
      <section class="panel" aria-labelledby="day-orders">
        <h2 id="day-orders">Orders</h2>
        {orders.length === 0 && <p class="empty">{listed ? 'No orders yet.' : 'Loading the orders…'}</p>}
        <ul class="rows">
          {orders.map((order) => (
            <li key={order.order_id} class={order.status === 'canceled' ? 'canceled' : ''}>
              <p>
                <strong>
                  {order.order_number} · {order.user_name || 'No name'}
                </strong>
                <span class="soft">
                  {context.clock.time(order.timestamp)}, {order.pickup ? 'pickup' : 'delivery'},{' '}
                  {stateInWords(order, context.clock)}
                </span>
              </p>
              <p class="amount">{money(order.store_part.total + order.driver_tip_cents)}</p>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** The list of the day; the live orders are newer. */
function useListed(
  { context }: Desk,
  startEpochS: number,
): { listed: readonly StoreOrder[] | undefined; error: string } {
  const [listed, setListed] = useState<readonly StoreOrder[] | undefined>();
  const [error, setError] = useState('');
  useEffect(() => {
    const read = () =>
      void context.api.get<{ orders: StoreOrder[] }>(`/store/orders?since=${startEpochS}`).then(
        ({ orders }) => {
          setListed(orders);
          setError('');
        },
        (failure) => setError(messageOf(failure)),
      );
    read();
    const timer = window.setInterval(read, LOOK_MS);
    return () => window.clearInterval(timer);
  }, [startEpochS]);
  return { listed, error };
}

function Sums({ orders }: { orders: readonly StoreOrder[] }) {
  const sums = dailyTotals(orders);
  const tiles = [
    { words: 'Orders', value: String(sums.orders), more: `${sums.deliveries} delivery, ${sums.pickups} pickup` },
    { words: 'Sales', value: money(sums.totalCents), more: 'with tips and taxes' },
    { words: 'Tips', value: money(sums.tipsCents), more: 'part of sales' },
    { words: 'Taxes', value: money(sums.taxesCents), more: 'part of sales' },
    { words: 'Canceled', value: String(sums.canceled), more: 'not part of sales' },
    { words: 'Refunds', value: money(sums.refundedCents), more: 'returned to customers' },
  ];
  return (
    <dl class="tiles">
      {tiles.map(({ words, value, more }) => (
        <div key={words}>
          <dt>{words}</dt>
          <dd>
            <strong>{value}</strong>
            <span>{more}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
