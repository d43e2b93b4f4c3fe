import { useEffect, useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import type { StoreSales } from '../../src/surfaces/store-console/sales.route.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { messageOf } from './api.ts';
import { Button } from './button.tsx';
import type { ConsoleContext } from './console-context.ts';
import type { Snapshot } from './live-orders.ts';
import { Alert } from './notices.tsx';
import { PrintDialog } from './order-dialog.tsx';
import { modeInWords, stateInWords } from './order-words.ts';
import { plusDays } from './store-clock.ts';
import type { Desk } from './use-step.ts';

/* Sales of chosen days: totals, and the orders behind them. */

const { sales: say } = words;

const POLL_MS = 60_000;
/** Milliseconds in which changes of live orders are gathered before the sales are read again. */
const GATHER_MS = 1500;
/** The maximum range of the Store API. */
const MAX_DAYS = 92;
const SHOWN_DISHES = 12;

type Days = { from: string; to: string };

/** A store's orders and sales on the days that are chosen, today first. */
export function SalesView({ desk, snapshot }: { desk: Desk; snapshot: Snapshot }) {
  const { context } = desk;
  const today = context.clock.date(context.now());
  // Without a choice the view follows the calendar past midnight.
  const [chosen, setChosen] = useState<Days>();
  const days = chosen ?? { from: today, to: today };
  const { sales, error } = useSales(context, days, days.to >= today ? snapshot : undefined);
  return (
    <div class="page">
      <div class="view-head">
        <h1>{say.title}</h1>
        {context.staff === undefined && (
          <a class="button" href="#statements">
            {words.statements.title}
          </a>
        )}
      </div>
      <DaysForm today={today} days={days} choose={setChosen} />
      <Alert text={error} />
      {sales && (
        <>
          <Totals sales={sales} context={context} />
          <Dishes sales={sales} context={context} query={queryOf(days)} />
          <Hours sales={sales} context={context} query={queryOf(days)} />
        </>
      )}
      <Orders key={queryOf(days)} desk={desk} days={days} isRead={sales} />
    </div>
  );
}

const queryOf = ({ from, to }: Days) => `from=${from}&to=${to}`;

function DaysForm({ today, days, choose }: { today: string; days: Days; choose: (days: Days | undefined) => void }) {
  const { from, to } = days;
  const yesterday = plusDays(today, -1);
  const presets = [
    { words: say.today, days: { from: today, to: today } },
    { words: say.yesterday, days: { from: yesterday, to: yesterday } },
    { words: say.lastWeek, days: { from: plusDays(today, -6), to: today } },
  ];
  const isChosen = (preset: Days) => preset.from === from && preset.to === to;
  function setFrom(day: string): void {
    if (day === '') return;
    const last = plusDays(day, MAX_DAYS - 1);
    choose({ from: day, to: to < day ? day : to > last ? last : to });
  }
  function setTo(day: string): void {
    if (day === '') return;
    const first = plusDays(day, 1 - MAX_DAYS);
    choose({ from: from > day ? day : from < first ? first : from, to: day });
  }
  return (
    <div class="days">
      <div class="press-row">
        {presets.map((preset) => (
          <button
            key={preset.words}
            type="button"
            class="button"
            aria-pressed={isChosen(preset.days)}
            onClick={() => choose(preset.words === say.today ? undefined : preset.days)}
          >
            {preset.words}
          </button>
        ))}
      </div>
      <div class="fields">
        <label class="field">
          {say.from}
          <input type="date" max={today} value={from} onChange={({ currentTarget }) => setFrom(currentTarget.value)} />
        </label>
        <label class="field">
          {say.to}
          <input type="date" max={today} value={to} onChange={({ currentTarget }) => setTo(currentTarget.value)} />
        </label>
      </div>
    </div>
  );
}

/** The sales of the days; read again while orders of the last day may still change. */
function useSales(
  { api }: ConsoleContext,
  days: Days,
  live: Snapshot | undefined,
): { sales: StoreSales | undefined; error: string } {
  const query = queryOf(days);
  const [read, setRead] = useState<{ query: string; sales: StoreSales }>();
  const [error, setError] = useState('');
  useEffect(() => {
    let isCurrent = true;
    const load = () =>
      api.get<StoreSales>(`/store/sales?${query}`).then(
        (sales) => {
          if (!isCurrent) return;
          setRead({ query, sales });
          setError('');
        },
        (failure) => isCurrent && setError(messageOf(failure)),
      );
    const first = window.setTimeout(() => void load(), read?.query === query ? GATHER_MS : 0);
    const timer = live && window.setInterval(() => void load(), POLL_MS);
    return () => {
      isCurrent = false;
      window.clearTimeout(first);
      window.clearInterval(timer);
    };
  }, [query, live?.orders]);
  return { sales: read?.query === query ? read.sales : undefined, error };
}

type Shown = { sales: StoreSales; context: ConsoleContext };

function Totals({ sales: { totals }, context: { format } }: Shown) {
  const tiles = [
    { words: say.sales, value: format.money(totals.total), more: say.withTips },
    { words: say.orders, value: format.number(totals.orders), more: say.modes(totals) },
    { words: say.tips, value: format.money(totals.tips), more: say.inSales },
    { words: say.taxes, value: format.money(totals.taxes), more: say.inSales },
    { words: say.canceled, value: format.number(totals.canceled), more: say.notInSales },
    { words: say.refunds, value: format.money(totals.refunded), more: say.toCustomers },
  ];
  return <Tiles tiles={tiles} />;
}

/** Sums side by side, each with its name and a remark. */
export function Tiles({ tiles }: { tiles: readonly { words: string; value: string; more: string }[] }) {
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

type Row = { name: string; units: number; revenue: number };

/** A table of units and revenue; the bar of a row is its share of the largest revenue. */
function SalesTable({ head, rows, context }: { head: string; rows: readonly Row[]; context: ConsoleContext }) {
  const { format } = context;
  const most = Math.max(1, ...rows.map(({ revenue }) => revenue));
  return (
    <table class="sums">
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" class="figure">
            {say.units}
          </th>
          <th scope="col" class="figure">
            {say.revenue}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, units, revenue }, index) => (
          <tr key={`${name} ${index}`}>
            <th scope="row">
              {name}
              <progress aria-hidden="true" tabIndex={-1} max={most} value={revenue} />
            </th>
            <td class="figure">{format.number(units)}</td>
            <td class="figure">{format.money(revenue)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Part = Shown & { query: string };

function Dishes({ sales, context, query }: Part) {
  const [isWhole, setWhole] = useState(false);
  const { dishes, other_dishes: others } = sales;
  const shown = isWhole ? dishes : dishes.slice(0, SHOWN_DISHES);
  const rest = isWhole && others.dishes > 0 ? [{ name: say.others({ count: others.dishes }), ...others }] : [];
  return (
    <section class="panel" aria-labelledby="sales-dishes">
      <h2 id="sales-dishes">{say.byDish}</h2>
      <p class="soft">{say.whatCounts}</p>
      {dishes.length === 0 ? (
        <p class="empty">{say.nothingSold}</p>
      ) : (
        <>
          <SalesTable head={say.dish} rows={[...shown, ...rest]} context={context} />
          <div class="press-row">
            {shown.length < dishes.length && <Button onPress={() => setWhole(true)}>{say.showAll}</Button>}
            <Download context={context} path={`/store/sales.csv?${query}&by=dish`} of={say.byDish} />
          </div>
        </>
      )}
    </section>
  );
}

/** The hours of the day that had sales, and those between them. */
function Hours({ sales, context, query }: Part) {
  const sold = sales.hours.filter(({ orders }) => orders > 0).map(({ hour }) => hour);
  if (sold.length === 0) return null;
  const rows = sales.hours
    .filter(({ hour }) => hour >= Math.min(...sold) && hour <= Math.max(...sold))
    .map(({ hour, ...each }) => ({
      ...each,
      name: context.format.time({ epochMilliseconds: hour * 3_600_000 }, 'UTC'),
    }));
  return (
    <section class="panel" aria-labelledby="sales-hours">
      <h2 id="sales-hours">{say.byHour}</h2>
      <SalesTable head={say.hour} rows={rows} context={context} />
      <div class="press-row">
        <Download context={context} path={`/store/sales.csv?${query}&by=hour`} of={say.byHour} />
      </div>
    </section>
  );
}

function Download({ context, path, of }: { context: ConsoleContext; path: string; of: string }) {
  return (
    <a class="button" href={`${context.base}${path}`} download aria-label={say.downloadOf({ what: of })}>
      {say.download}
    </a>
  );
}

type OrdersProps = { desk: Desk; days: Days; isRead: unknown };
type Page = { orders: StoreOrder[]; next: string | null };

/** The orders of the days in pages, newest first, each with its tickets. */
function Orders({ desk, days, isRead }: OrdersProps) {
  const { context } = desk;
  const [number, setNumber] = useState('');
  const [page, setPage] = useState<Page>();
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [printed, setPrinted] = useState<StoreOrder>();
  const query = `${queryOf(days)}${number.trim() === '' ? '' : `&order_number=${encodeURIComponent(number.trim())}`}`;
  const readPage = (after: string) => context.api.get<Page>(`/store/orders?${query}${after}`);

  useEffect(() => {
    let isCurrent = true;
    readPage('').then(
      (first) => {
        if (!isCurrent) return;
        // A page that was read before stays below newer orders.
        setPage((shown) => (shown && shown.orders.length > first.orders.length ? merged(first, shown) : first));
        setError('');
      },
      (failure) => isCurrent && setError(messageOf(failure)),
    );
    return () => {
      isCurrent = false;
    };
  }, [query, isRead]);
  useEffect(() => setPage(undefined), [query]);

  async function showMore(after: string): Promise<void> {
    setBusy(true);
    try {
      const { orders, next } = await readPage(`&after=${encodeURIComponent(after)}`);
      setPage((shown) => ({ orders: [...(shown?.orders ?? []), ...orders], next }));
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  }

  return (
    <section class="panel" aria-labelledby="day-orders">
      <h2 id="day-orders">{say.orders}</h2>
      <div class="press-row">
        <input
          type="search"
          class="number-search"
          maxLength={10}
          placeholder={say.findNumber}
          aria-label={say.findNumber}
          autocomplete="off"
          value={number}
          onInput={({ currentTarget }) => setNumber(currentTarget.value)}
        />
        <Download context={context} path={`/store/orders.csv?${queryOf(days)}`} of={say.orders} />
      </div>
      <Alert text={error} />
      {page?.orders.length === 0 && <p class="empty">{say.none}</p>}
      {!page && !error && <p class="empty">{words.board.loading}</p>}
      <ul class="rows sold-orders">
        {page?.orders.map((order) => (
          <OrderRow key={order.order_id} order={order} context={context} print={() => setPrinted(order)} />
        ))}
      </ul>
      {page?.next && (
        <Button isBusy={isBusy} onPress={() => void showMore(page.next ?? '')}>
          {words.products.showMore}
        </Button>
      )}
      {printed && <PrintDialog desk={desk} order={printed} close={() => setPrinted(undefined)} />}
    </section>
  );
}

function merged(first: Page, shown: Page): Page {
  const fresh = new Set(first.orders.map(({ order_id }) => order_id));
  return {
    orders: [...first.orders, ...shown.orders.filter(({ order_id }) => !fresh.has(order_id))],
    next: shown.next,
  };
}

type OrderRowProps = { order: StoreOrder; context: ConsoleContext; print: () => void };

function OrderRow({ order, context, print }: OrderRowProps) {
  return (
    <li class={order.status === 'canceled' ? 'canceled' : ''}>
      <p>
        <strong>
          {order.order_number} · {order.user_name || words.terms.noName}
        </strong>
        <span class="soft">
          {context.clock.of(order).moment(order.offered_at ?? order.timestamp, context.now())} · {modeInWords(order)} ·{' '}
          {stateInWords(order, context)}
        </span>
      </p>
      <p class="amount">{context.format.money(order.store_part.total + order.driver_tip_cents)}</p>
      <Button kind="quiet" label={say.ticketsOf({ number: order.order_number })} onPress={print}>
        {say.tickets}
      </Button>
    </li>
  );
}
