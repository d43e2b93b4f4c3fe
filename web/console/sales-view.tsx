import { useEffect, useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import type { StoreSales } from '../../src/surfaces/store-console/sales.route.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { BareField, Field } from '../field.tsx';
import { Table } from '../table.tsx';
import { usePages, useRead } from '../use-read.ts';
import type { ConsoleContext } from './console-context.ts';
import type { Snapshot } from './live-orders.ts';
import { Alert } from './notices.tsx';
import { modeInWords, stateInWords } from './order-words.ts';
import { Page, Panel } from './panel.tsx';
import { PrintDialog } from './print-dialog.tsx';
import { plusDays } from './store-clock.ts';
import type { Desk } from './use-step.ts';

/* Sales of chosen days: totals, and the orders behind them. */

const { sales: say } = words;

const POLL_MS = 60_000;
/** How long changes of live orders are gathered before the sales are read again, in milliseconds. */
const GATHER_MS = 1500;
/** A year that is still typed is before it. */
const FIRST_DAY = '2000-01-01';
/** The maximum range of the Store API. */
const MAX_DAYS = 92;
const SHOWN_DISHES = 12;

type Days = { from: string; to: string };

/** A store's orders and sales on the chosen days, today first. */
export function SalesView({ desk, snapshot }: { desk: Desk; snapshot: Snapshot }) {
  const { context } = desk;
  const today = context.clock.date(context.now());
  // Without a choice the view follows the calendar past midnight.
  const [chosen, setChosen] = useState<Days>();
  const days = chosen ?? { from: today, to: today };
  const { sales, error } = useSales(context, days, days.to >= today ? snapshot : undefined);
  return (
    <Page
      title={say.title}
      tools={
        context.staff === undefined && (
          <a class="button" href="#statements">
            {words.statements.title}
          </a>
        )
      }
    >
      <DaysForm today={today} days={days} choose={setChosen} />
      <Alert text={error} />
      {sales && (
        <>
          <Totals sales={sales} context={context} />
          {(sales.dishes.length > 0 || !error) && <Dishes sales={sales} context={context} query={queryOf(days)} />}
          <Hours sales={sales} context={context} query={queryOf(days)} />
        </>
      )}
      <Orders key={queryOf(days)} desk={desk} days={days} isRead={sales} />
    </Page>
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
  /** Moves the other end along where the days would be none, or too many. */
  function set(name: keyof Days, { value: day, validity }: HTMLInputElement): void {
    if (day === '' || !validity.valid) return;
    const [first, last] = [plusDays(day, 1 - MAX_DAYS), plusDays(day, MAX_DAYS - 1)];
    if (name === 'from') choose({ from: day, to: to < day ? day : to > last ? last : to });
    else choose({ from: from > day ? day : from < first ? first : from, to: day });
  }
  return (
    <div class="days">
      <div class="press-row">
        {presets.map((preset) => (
          <Button
            key={preset.words}
            aria-pressed={isChosen(preset.days)}
            onPress={() => choose(preset.words === say.today ? undefined : preset.days)}
            text={preset.words}
          />
        ))}
      </div>
      <div class="fields">
        {(['from', 'to'] as const).map((name) => (
          <Field
            key={name}
            label={say[name]}
            type="date"
            min={FIRST_DAY}
            max={today}
            value={days[name]}
            onChange={({ currentTarget }) => set(name, currentTarget)}
          />
        ))}
      </div>
    </div>
  );
}

/** The sales of the days; read again while orders of the last day may still change. */
function useSales({ api }: ConsoleContext, days: Days, live: Snapshot | undefined) {
  const query = queryOf(days);
  const read = () => api.get<StoreSales>(`/store/sales?${query}`);
  const { data: sales, error, reload } = useRead(query, read, live && POLL_MS);
  useEffect(() => {
    const timer = sales && setTimeout(reload, GATHER_MS);
    return () => clearTimeout(timer);
  }, [live?.orders]);
  return { sales, error };
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
    <dl class="key-figures">
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
    <Table
      class="sums"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { head, cell: (row) => <NameWithBar {...row} most={most} /> },
        { head: say.units, class: 'figure', cell: ({ units }) => format.number(units) },
        { head: say.revenue, class: 'figure', cell: ({ revenue }) => format.money(revenue) },
      ]}
    />
  );
}

const NameWithBar = ({ name, revenue, most }: Row & { most: number }) => (
  <>
    {name}
    <progress aria-hidden="true" tabIndex={-1} max={most} value={revenue} />
  </>
);

type Part = Shown & { query: string };

function Dishes({ sales, context, query }: Part) {
  const [isWhole, setWhole] = useState(false);
  const { dishes, other_dishes: others } = sales;
  const shown = isWhole ? dishes : dishes.slice(0, SHOWN_DISHES);
  const rest = isWhole && others.dishes > 0 ? [{ name: say.others({ count: others.dishes }), ...others }] : [];
  return (
    <Panel id="sales-dishes" title={say.byDish}>
      <p class="soft">{say.whatCounts}</p>
      {dishes.length === 0 ? (
        <p class="empty">{say.nothingSold}</p>
      ) : (
        <>
          <SalesTable head={say.dish} rows={[...shown, ...rest]} context={context} />
          <div class="press-row">
            {shown.length < dishes.length && <Button onPress={() => setWhole(true)} text={say.showAll} />}
            <Download context={context} path={`/store/sales.csv?${query}&by=dish`} of={say.byDish} />
          </div>
        </>
      )}
    </Panel>
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
    <Panel id="sales-hours" title={say.byHour}>
      <SalesTable head={say.hour} rows={rows} context={context} />
      <div class="press-row">
        <Download context={context} path={`/store/sales.csv?${query}&by=hour`} of={say.byHour} />
      </div>
    </Panel>
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
type Answer = { orders: StoreOrder[]; next: string | null };

/** The orders of the days in pages, newest first, each with its tickets. */
function Orders({ desk, days, isRead }: OrdersProps) {
  const { context } = desk;
  const [number, setNumber] = useState('');
  const [printed, setPrinted] = useState<StoreOrder>();
  const query = `${queryOf(days)}${number.trim() === '' ? '' : `&order_number=${encodeURIComponent(number.trim())}`}`;
  const read = async (after = '') => {
    const mark = after && `&after=${encodeURIComponent(after)}`;
    const { orders, next } = await context.api.get<Answer>(`/store/orders?${query}${mark}`);
    return { items: orders, next };
  };
  const idOf = ({ order_id }: StoreOrder) => order_id;
  const { items: orders, error, isLoading, more } = usePages([query, isRead], { read, idOf });

  return (
    <Panel id="day-orders" title={say.orders}>
      <div class="press-row">
        <BareField
          type="search"
          class="number-search"
          label={say.findNumber}
          maxLength={10}
          value={number}
          set={setNumber}
        />
        <Download context={context} path={`/store/orders.csv?${queryOf(days)}`} of={say.orders} />
      </div>
      <Alert text={error} />
      {orders?.length === 0 && !error && <p class="empty">{say.none}</p>}
      {!orders && !error && <p class="empty">{words.board.loading}</p>}
      <ul class="rows sold-orders">
        {orders?.map((order) => (
          <OrderRow key={order.order_id} order={order} context={context} print={() => setPrinted(order)} />
        ))}
      </ul>
      {more && <Button isBusy={isLoading} onPress={more} text={words.products.showMore} />}
      {printed && <PrintDialog desk={desk} order={printed} close={() => setPrinted(undefined)} />}
    </Panel>
  );
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
      <Button kind="quiet" label={say.ticketsOf({ number: order.order_number })} onPress={print} text={say.tickets} />
    </li>
  );
}
