import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { useMedia, useTimed } from './hooks.ts';
import type { Snapshot } from './live-orders.ts';
import {
  allDay,
  type BoardView,
  type Dish,
  isScheduled,
  LANES,
  type Lane,
  lateOrders,
  minutesUntil,
  sortLane,
} from './order-board.ts';
import { OrderCard } from './order-card.tsx';
import { lengthInWords } from './order-words.ts';
import type { Desk } from './use-step.ts';

/* The orders page: columns of orders by progress, and all that is to be made. */

/** Minimum width for the three columns of open orders side by side. */
const WIDE = '(min-width: 1200px)';

const { board } = words;
const TITLES: Readonly<Record<Lane, string>> = { ...board, kitchen: board.kitchenTitle, ready: board.readyTitle };
const { noneNew, noneKitchen, noneReady, noneDone } = board;
const EMPTY: Readonly<Record<Lane, string>> = { new: noneNew, kitchen: noneKitchen, ready: noneReady, done: noneDone };

type Board = { desk: Desk; snapshot: Snapshot; ringing: ReadonlySet<string> };
type Hold = (order: StoreOrder | undefined) => void;
type Column = Board & { hold: Hold };
/** `tools` are buttons alongside the title. */
type Props = Board & { shown: BoardView; show: (view: BoardView) => void; tools: ComponentChildren };

/** Orders by progress: columns on wide screens, tabs on narrow ones. */
export function OrdersView({ shown, show, tools, ...all }: Props) {
  const isWide = useMedia(WIDE);
  /** An order as it was when its dialog opened: with another column it would lose the typed text. */
  const [held, hold] = useState<StoreOrder>();
  const lanes = Object.fromEntries(LANES.map((lane) => [lane, sortLane(all.snapshot.orders.values(), lane, held)]));
  const isOpen = isWide && shown !== 'done' && shown !== 'allDay';
  const views = [...(isWide ? (['done'] as const) : LANES), 'allDay'] as const;
  return (
    <>
      <fieldset class={isWide ? 'view-head' : 'lanes'} aria-label={board.lanes}>
        <h1 class={isWide ? '' : 'unseen'}>{words.frame.orders}</h1>
        {isWide && tools}
        {views.map((view) => (
          <button
            type="button"
            key={view}
            class={isWide ? 'button quiet' : `lane-tab ${view}`}
            aria-pressed={shown === view}
            onClick={() => show(isWide && shown === view ? 'new' : view)}
          >
            <span>{board[view]}</span> {view !== 'allDay' && <span class="count">{lanes[view]?.length ?? 0}</span>}
          </button>
        ))}
      </fieldset>
      {!isWide && <div class="tools">{tools}</div>}
      {shown === 'allDay' && <AllDay {...all} hold={hold} />}
      <div class="lanes-beside">
        {LANES.filter((lane) => (isOpen ? lane !== 'done' : lane === shown)).map((lane) => (
          <LaneColumn key={lane} {...all} hold={hold} isWide={isWide} lane={lane} orders={lanes[lane] ?? []} />
        ))}
      </div>
    </>
  );
}

/** Whether the list equals the service's: a failed read isn't shown as empty. */
const isKnown = ({ isLoaded, connection }: Snapshot) => isLoaded && connection !== 'lost';

type ColumnProps = Column & { isWide: boolean; lane: Lane; orders: readonly StoreOrder[] };

/** A column: orders for now, then scheduled ones. */
function LaneColumn({ isWide, lane, orders, ...all }: ColumnProps) {
  const scheduled = lane === 'done' ? [] : orders.filter(isScheduled);
  return (
    <section class={`lane ${lane}`} aria-label={TITLES[lane]}>
      <h2 class={isWide ? 'lane-title' : 'unseen'}>
        {TITLES[lane]} <span class="count">{orders.length}</span>
      </h2>
      <Cards {...all} orders={orders.filter((order) => !scheduled.includes(order))} />
      {scheduled.length > 0 && <h3 class="part">{board.scheduled}</h3>}
      <Cards {...all} orders={scheduled} />
      {orders.length === 0 && <p class="empty">{isKnown(all.snapshot) ? EMPTY[lane] : board.loading}</p>}
    </section>
  );
}

function Cards({ orders, ringing, ...all }: Column & { orders: readonly StoreOrder[] }) {
  if (orders.length === 0) return null;
  return (
    <ul class="cards">
      {orders.map((order) => (
        <CardRow key={order.order_id} {...all} order={order} isRinging={ringing.has(order.order_id)} />
      ))}
    </ul>
  );
}

/** A card among hundreds: rendered again only when its order has changed. */
function CardRow({ desk, hold, order, isRinging }: { desk: Desk; hold: Hold; order: StoreOrder; isRinging: boolean }) {
  const card = useMemo(
    () => <OrderCard desk={desk} hold={hold} order={order} isRinging={isRinging} />,
    [order, isRinging],
  );
  return <li>{card}</li>;
}

/** All that is to be made, because a cook prepares equal dishes together; and the orders that are late. */
function AllDay(all: Column) {
  const { context } = all.desk;
  const [element] = useTimed(context, (now) => Math.floor(now / 60));
  const dishes = allDay(all.snapshot.orders.values(), context.now());
  const late = lateOrders(all.snapshot.orders.values(), context.now());
  return (
    <div class="all-day" ref={element}>
      <section aria-labelledby="all-day">
        <h2 id="all-day">{board.allDay}</h2>
        <ul class="dishes">
          {dishes.map((dish) => (
            <DishRow key={dish.name} dish={dish} desk={all.desk} />
          ))}
        </ul>
        {dishes.length === 0 && <p class="empty">{isKnown(all.snapshot) ? board.noneKitchen : board.loading}</p>}
      </section>
      {late.length > 0 && (
        <section aria-labelledby="late">
          <h2 id="late">
            {board.late} <span class="count">{late.length}</span>
          </h2>
          <Cards {...all} orders={late} />
        </section>
      )}
    </div>
  );
}

function DishRow({ dish: { name, count, lateS, choices }, desk }: { dish: Dish; desk: Desk }) {
  const { format } = desk.context;
  const length = lengthInWords(minutesUntil(lateS, 0), format);
  return (
    <li>
      <strong>{format.number(count)} ×</strong> {name}{' '}
      {lateS > 0 && <em class="lacks">{words.order.due.late({ length })}</em>}
      <ul class="options">
        {[...choices].map(([options, units]) => (
          <li key={options}>
            {format.number(units)} × {options}
          </li>
        ))}
      </ul>
    </li>
  );
}
