import { useEffect, useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { store as words } from '../../src/platform/languages/en/store.ts';
import type { Format } from '../../src/platform/languages/format.ts';
import { messageOf } from './api.ts';
import type { Snapshot } from './live-orders.ts';
import { Alert } from './notices.tsx';
import { dailyTotals } from './order-board.ts';
import { modeInWords, stateInWords } from './order-words.ts';
import type { Desk } from './use-step.ts';

const { today: say } = words;

const POLL_MS = 60_000;

/** The store's orders of the day and their totals. */
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
        <h1>{say.title}</h1>
        <p class="soft">{context.clock.day(startEpochS)}</p>
        <a class="button" href="#statements">
          {words.statements.title}
        </a>
      </div>
      <Alert text={error} />
      <Sums orders={orders} format={context.format} />
      <section class="panel" aria-labelledby="day-orders">
        <h2 id="day-orders">{say.orders}</h2>
        {orders.length === 0 && <p class="empty">{listed ? say.none : words.board.loading}</p>}
        <ul class="rows">
          {orders.map((order) => (
            <li key={order.order_id} class={order.status === 'canceled' ? 'canceled' : ''}>
              <p>
                <strong>
                  {order.order_number} · {order.user_name || words.terms.noName}
                </strong>
                <span class="soft">
                  {context.clock.time(order.timestamp)} · {modeInWords(order)} · {stateInWords(order, context)}
                </span>
              </p>
              <p class="amount">{context.format.money(order.store_part.total + order.driver_tip_cents)}</p>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** The list of the day, with newer versions of the live orders. */
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
    const timer = window.setInterval(read, POLL_MS);
    return () => window.clearInterval(timer);
  }, [startEpochS]);
  return { listed, error };
}

function Sums({ orders, format }: { orders: readonly StoreOrder[]; format: Format }) {
  const sums = dailyTotals(orders);
  const tiles = [
    { words: say.sales, value: format.money(sums.totalCents), more: say.withTips },
    { words: say.orders, value: format.number(sums.orders), more: say.modes(sums) },
    { words: say.tips, value: format.money(sums.tipsCents), more: say.inSales },
    { words: say.taxes, value: format.money(sums.taxesCents), more: say.inSales },
    { words: say.canceled, value: format.number(sums.canceled), more: say.notInSales },
    { words: say.refunds, value: format.money(sums.refundedCents), more: say.toCustomers },
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
