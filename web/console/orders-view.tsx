import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { useMedia } from './hooks.ts';
import type { Snapshot } from './live-orders.ts';
import { allDayCounts, isScheduled, LANES, type Lane, sortedLane } from './order-board.ts';
import { OrderCard } from './order-card.tsx';
import type { Desk } from './use-step.ts';

/** From here on there is room for the three columns of open orders beside each other. */
const WIDE = '(min-width: 1200px)';

const WORDS: Readonly<Record<Lane, { title: string; empty: string }>> = {
  new: { title: 'New', empty: 'No new orders. They appear here by themselves.' },
  kitchen: { title: 'In the kitchen', empty: 'Nothing in the kitchen.' },
  ready: { title: 'Ready, on the way', empty: 'Nothing waits to be handed over.' },
  done: { title: 'Done', empty: 'No order has been handed over in the last 24 hours.' },
};
const OPEN_LANES: readonly Lane[] = ['new', 'kitchen', 'ready'];

type Props = {
  desk: Desk;
  snapshot: Snapshot;
  nowEpochS: number;
  ringing: ReadonlySet<string>;
  lane: Lane;
  setLane: (lane: Lane) => void;
};

/** The orders, by how far they have come: a column each where there is room, else a tab each. */
export function OrdersView({ desk, snapshot, nowEpochS, ringing, lane, setLane }: Props) {
  const isWide = useMedia(WIDE);
  const [isDoneShown, setDoneShown] = useState(false);
  const lanes = Object.fromEntries(LANES.map((each) => [each, sortedLane(snapshot.orders.values(), each)]));
  const column = (each: Lane) => (
    <LaneColumn
      key={each}
      isWide={isWide}
      lane={each}
      orders={lanes[each] ?? []}
      desk={desk}
      nowEpochS={nowEpochS}
      ringing={ringing}
      allDay={each === 'kitchen' ? allDayCounts(snapshot.orders.values(), nowEpochS) : []}
      isLoaded={snapshot.isLoaded}
    />
  );
  if (isWide) {
    return (
      <>
        <div class="view-head">
          <h1>Orders</h1>
          <button
            type="button"
            class="button quiet"
            aria-pressed={isDoneShown}
            onClick={() => setDoneShown(!isDoneShown)}
          >
            Done <span class="count">{lanes.done?.length ?? 0}</span>
          </button>
        </div>
        <div class="columns">{isDoneShown ? column('done') : OPEN_LANES.map(column)}</div>
      </>
    );
  }
  return (
    <>
      <h1 class="unseen">Orders</h1>
      <fieldset class="lanes" aria-label="Which orders">
        {LANES.map((each) => (
          <button
            type="button"
            key={each}
            class={`lane-tab ${each}`}
            aria-pressed={lane === each}
            onClick={() => setLane(each)}
          >
            <span>{each === 'ready' ? 'Ready' : each === 'kitchen' ? 'Kitchen' : WORDS[each].title}</span>
            <span class="count">{lanes[each]?.length ?? 0}</span>
          </button>
        ))}
      </fieldset>
      {column(lane)}
    </>
  );
}

type ColumnProps = {
  isWide: boolean;
  lane: Lane;
  orders: readonly StoreOrder[];
  desk: Desk;
  nowEpochS: number;
  ringing: ReadonlySet<string>;
  allDay: ReturnType<typeof allDayCounts>;
  isLoaded: boolean;
};

/** One column: orders for now, then those for a slot of their own. */
function LaneColumn({ isWide, lane, orders, desk, nowEpochS, ringing, allDay, isLoaded }: ColumnProps) {
  const isEnded = lane === 'done';
  const soon = isEnded ? orders : orders.filter((order) => !isScheduled(order));
  const scheduled = isEnded ? [] : orders.filter(isScheduled);
  const card = (order: StoreOrder) => (
    <li key={order.order_id}>
      <OrderCard desk={desk} order={order} nowEpochS={nowEpochS} isRinging={ringing.has(order.order_id)} />
    </li>
  );
  return (
    <section class={`lane ${lane}`} aria-label={WORDS[lane].title}>
      <h2 class={isWide ? 'lane-title' : 'unseen'}>
        {WORDS[lane].title} <span class="count">{orders.length}</span>
      </h2>
      <AllDay counts={allDay} />
      {soon.length > 0 && <ul class="cards">{soon.map(card)}</ul>}
      {scheduled.length > 0 && (
        <>
          <h3 class="part">Scheduled</h3>
          <ul class="cards">{scheduled.map(card)}</ul>
        </>
      )}
      {orders.length === 0 && <p class="empty">{isLoaded ? WORDS[lane].empty : 'Loading the orders…'}</p>}
    </section>
  );
}

/** How many of each dish are open, over all orders: what a cook fires together. */
function AllDay({ counts }: { counts: ColumnProps['allDay'] }) {
  if (counts.length === 0) return null;
  return (
    <section class="all-day" aria-label="All day">
      <h3>All day</h3>
      <ul>
        {counts.map(({ name, count }) => (
          <li key={name}>
            <strong>{count}</strong> {name}
          </li>
        ))}
      </ul>
    </section>
  );
}
