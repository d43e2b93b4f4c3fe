import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { useMedia } from './hooks.ts';
import type { Snapshot } from './live-orders.ts';
import { allDayCounts, isScheduled, LANES, type Lane, sortLane } from './order-board.ts';
import { OrderCard } from './order-card.tsx';
import type { Desk } from './use-step.ts';

/** Minimum width for the three columns of open orders side by side. */
const WIDE = '(min-width: 1200px)';

const { board } = words;
const LANE_WORDS: Readonly<Record<Lane, { tab: string; title: string; empty: string }>> = {
  new: { tab: board.new, title: board.new, empty: board.noneNew },
  kitchen: { tab: board.kitchen, title: board.kitchenTitle, empty: board.noneKitchen },
  ready: { tab: board.ready, title: board.readyTitle, empty: board.noneReady },
  done: { tab: board.done, title: board.done, empty: board.noneDone },
};
const OPEN_LANES: readonly Lane[] = ['new', 'kitchen', 'ready'];

type Props = {
  desk: Desk;
  snapshot: Snapshot;
  nowEpochS: number;
  ringing: ReadonlySet<string>;
  lane: Lane;
  setLane: (lane: Lane) => void;
  /** Buttons beside the title. */
  tools: ComponentChildren;
};

/** Orders by progress: columns on wide screens, tabs on narrow ones. */
export function OrdersView({ desk, snapshot, nowEpochS, ringing, lane, setLane, tools }: Props) {
  const isWide = useMedia(WIDE);
  const [isDoneShown, setDoneShown] = useState(false);
  const lanes = Object.fromEntries(LANES.map((each) => [each, sortLane(snapshot.orders.values(), each)]));
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
          <h1>{words.frame.orders}</h1>
          {tools}
          <button
            type="button"
            class="button quiet"
            aria-pressed={isDoneShown}
            onClick={() => setDoneShown(!isDoneShown)}
          >
            {board.done} <span class="count">{lanes.done?.length ?? 0}</span>
          </button>
        </div>
        <div class="columns">{isDoneShown ? column('done') : OPEN_LANES.map(column)}</div>
      </>
    );
  }
  return (
    <>
      <h1 class="unseen">{words.frame.orders}</h1>
      <fieldset class="lanes" aria-label={board.lanes}>
        {LANES.map((each) => (
          <button
            type="button"
            key={each}
            class={`lane-tab ${each}`}
            aria-pressed={lane === each}
            onClick={() => setLane(each)}
          >
            <span>{LANE_WORDS[each].tab}</span>
            <span class="count">{lanes[each]?.length ?? 0}</span>
          </button>
        ))}
      </fieldset>
      <div class="tools">{tools}</div>
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

/** A column: orders for now, then scheduled ones. */
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
    <section class={`lane ${lane}`} aria-label={LANE_WORDS[lane].title}>
      <h2 class={isWide ? 'lane-title' : 'unseen'}>
        {LANE_WORDS[lane].title} <span class="count">{orders.length}</span>
      </h2>
      <AllDay counts={allDay} />
      {soon.length > 0 && <ul class="cards">{soon.map(card)}</ul>}
      {scheduled.length > 0 && (
        <>
          <h3 class="part">{board.scheduled}</h3>
          <ul class="cards">{scheduled.map(card)}</ul>
        </>
      )}
      {orders.length === 0 && <p class="empty">{isLoaded ? LANE_WORDS[lane].empty : board.loading}</p>}
    </section>
  );
}

/** All-day counts of open dishes over all orders, because a cook prepares equal dishes together. */
function AllDay({ counts }: { counts: ColumnProps['allDay'] }) {
  if (counts.length === 0) return null;
  return (
    <section class="all-day" aria-label={board.allDay}>
      <h3>{board.allDay}</h3>
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
