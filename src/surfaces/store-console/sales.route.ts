import { type Static, Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { type Merchant, refuseLink } from '../../access/sessions/merchant.ts';
import { storePartOf, storeRefundedCents } from '../../fulfillment/store-channels/present-store-order.ts';
import { shownOrderNumber } from '../../ordering/order/order.ts';
import { offeredAtOf, tipOf } from '../../ordering/order/order-view.ts';
import type { Context } from '../../platform/db/context.ts';
import { component, describedObject } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { csvFile, csvFileAnswer } from '../../platform/http/send-csv.ts';
import { type CsvCell, type CsvTable, scheduleBatches } from '../../platform/lib/csv.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { decimalOfMilli, WEIGHT_UNITS } from '../../supply/pricing/weight.ts';
import { currencyOf } from '../../supply/stores/store.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { type OrderWithRefunds, ordersOfDays, readSales } from './read-sales.flow.ts';
import { type Sales, type SoldDish, type SoldTotals, soldLines } from './sales.ts';
import { FROM_DAY, readDays, type StoreDays, TO_DAY } from './store-days.ts';

/** A store's sales on chosen days, and the orders of those days as a table. */

/** Dishes in a response; the others are one sum. The CSV has them all. */
const MAX_DISHES = 500;

const cents = (description: string) => Type.Integer({ description: `${description} In cents.` });
const REVENUE = cents("At the store's list prices, after missing items, substitutes and refunds.");
const WEIGHT = {
  weight: Type.Optional(
    Type.Number({ description: 'The weight of items sold by weight. Otherwise absent. `units` counts lines.' }),
  ),
  unit: Type.Optional(Type.Enum([...WEIGHT_UNITS], { description: 'The unit of `weight`. Absent without it.' })),
};
const SOLD = { orders: Type.Integer(), units: Type.Integer(), revenue: REVENUE };

const SalesSchema = component('StoreSales', "A store's sales on a range of days, at its own prices.", {
  from: Type.String(),
  to: Type.String(),
  time_zone: Type.String(),
  currency: Type.Enum(['USD', 'CAD']),
  totals: describedObject('All orders on these days, including orders in progress.', {
    orders: Type.Integer({ description: 'Excludes canceled orders.' }),
    deliveries: Type.Integer(),
    pickups: Type.Integer(),
    canceled: Type.Integer(),
    total: cents("The store's earnings: items, its fees, taxes and tips."),
    tips: cents('Part of `total`.'),
    taxes: cents('Part of `total`.'),
    refunded: cents('The refunds to customers, including canceled orders.'),
  }),
  handed_over: Type.Object(SOLD, { description: 'From completed orders: the sum of `dishes` and `other_dishes`.' }),
  dishes: Type.Array(Type.Object({ name: Type.String(), units: Type.Integer(), ...WEIGHT, revenue: REVENUE }), {
    description: `Highest revenue first, up to ${MAX_DISHES}.`,
  }),
  other_dishes: describedObject('The sum of the unlisted dishes.', {
    dishes: Type.Integer(),
    units: Type.Integer(),
    revenue: Type.Integer(),
  }),
  hours: Type.Array(Type.Object({ hour: Type.Integer({ description: 'From 0 to 23.' }), ...SOLD }), {
    description: "By the hour in the store's time zone when it was sent the order.",
  }),
  days: Type.Array(Type.Object({ date: Type.String(), ...SOLD }), { description: 'Every day in the range.' }),
});

const DAYS = Type.Object({ from: FROM_DAY, to: Type.Optional(TO_DAY) });
const DAYS_EXAMPLE = { query: { from: '2026-06-01', to: '2026-06-07' } };
const DESCRIPTION =
  'With a live store key or console session: live orders of every account; with a sandbox store key or session: the sandbox orders of its account.';
const GROUPS = ['dish', 'hour', 'day'] as const;
const TABLE = csvFileAnswer('UTF-8 with a byte order mark. Amounts are decimal numbers.');

export type StoreSales = Static<typeof SalesSchema>;

type SalesDeps = Context & { tokens: TokenSealer };
const REPORT = {
  largePages: 'reports',
  on: { store: { admit: refuseLink, refuses: ['store_not_found', 'live_only'] } },
} as const;

export const SALES_OPERATIONS = [
  operation({
    ...REPORT,
    name: 'readStoreSales',
    endpoint: 'GET /sales',
    summary: 'Get sales by dish, hour and day',
    description: `Returns the store's sales on these days, at its own prices. ${DESCRIPTION}`,
    query: DAYS,
    example: DAYS_EXAMPLE,
    answer: SalesSchema,
  }).run(async (deps: SalesDeps, { by: { merchant }, inTurn, query }) => {
    const { days, currency } = await listDays(deps, merchant, query);
    return presentSales(await inTurn(() => readSales(deps, merchant, days, deps.clock.now())), days, currency);
  }),
  operation({
    ...REPORT,
    name: 'exportStoreSales',
    endpoint: 'GET /sales.csv',
    summary: 'Export sales by dish, hour or day as CSV',
    description: `Exports the rows of GET /store/sales, with every dish. ${DESCRIPTION}`,
    query: Type.Object({ ...DAYS.properties, by: Type.Enum([...GROUPS], { description: 'The unit of a row.' }) }),
    example: { query: { ...DAYS_EXAMPLE.query, by: 'dish' } },
    answer: TABLE,
  }).run(async (deps: SalesDeps, { by: { merchant }, inTurn, query }) => {
    const { days } = await listDays(deps, merchant, query);
    const sales = await inTurn(() => readSales(deps, merchant, days, deps.clock.now()));
    return csvFile(fileName(`sales-by-${query.by}`, days), SALES_TABLES[query.by](sales));
  }),
  operation({
    ...REPORT,
    name: 'exportStoreOrders',
    endpoint: 'GET /orders.csv',
    summary: 'Export orders by day as CSV',
    description: `Exports one row per order sent to the store on these days, without its customer, newest first, up to 50,000 orders. ${DESCRIPTION}`,
    query: DAYS,
    example: DAYS_EXAMPLE,
    answer: TABLE,
  }).run(async (deps: SalesDeps, { by: { merchant }, inTurn, query }) => {
    const { days } = await listDays(deps, merchant, query);
    const batches = orderRows(days, ordersOfDays(deps, merchant, { ...days, now: deps.clock.now() }));
    return csvFile(fileName('orders', days), scheduleBatches({ head: ORDERS_HEAD, batches }, inTurn));
  }),
];

type RangeQuery = { from: string; to?: string | undefined };

async function listDays({ db }: SalesDeps, merchant: Merchant, query: RangeQuery) {
  const store = await findStore(db, merchant.storeId);
  if (!store) throw new Refusal('store_not_found', 'There is no such store.');
  return { days: readDays(query, store.timeZone), currency: currencyOf(store.address.country) };
}

const presentSold = ({ orders, units, revenueCents }: SoldTotals) => ({ orders, units, revenue: revenueCents });

/** Highest revenue first; dishes of the same revenue by name. */
function sortedDishes({ dishes }: Sales) {
  return [...dishes.values()].sort((a, b) => b.revenueCents - a.revenueCents || (a.name < b.name ? -1 : 1));
}

function presentSales(sales: Sales, days: StoreDays, currency: 'USD' | 'CAD'): Static<typeof SalesSchema> {
  const { totalCents, tipsCents, taxesCents, refundedCents, ...counts } = sales.totals;
  const dishes = sortedDishes(sales).map(({ name, units, weight, revenueCents }) => ({
    name,
    units,
    ...(weight && { weight: decimalOfMilli(weight.milli), unit: weight.unit }),
    revenue: revenueCents,
  }));
  const others = dishes.slice(MAX_DISHES);
  return {
    from: days.from,
    to: days.to,
    time_zone: days.timeZone,
    currency,
    totals: { ...counts, total: totalCents, tips: tipsCents, taxes: taxesCents, refunded: refundedCents },
    handed_over: presentSold(sales.handedOver),
    dishes: dishes.slice(0, MAX_DISHES),
    other_dishes: {
      dishes: others.length,
      units: others.reduce((sum, { units }) => sum + units, 0),
      revenue: others.reduce((sum, { revenue }) => sum + revenue, 0),
    },
    hours: sales.hours.map((sold, hour) => ({ hour, ...presentSold(sold) })),
    days: [...sales.days].map(([date, sold]) => ({ date, ...presentSold(sold) })),
  };
}

const fileName = (name: string, { from, to }: StoreDays) => `${name}-${from === to ? from : `${from}-to-${to}`}.csv`;

async function* oneBatch(rows: readonly (readonly CsvCell[])[]): CsvTable['batches'] {
  yield rows;
}

const soldCells = ({ orders, units, revenueCents }: SoldTotals): CsvCell[] => [orders, units, { cents: revenueCents }];
const SOLD_HEAD = ['orders', 'units', 'revenue'];

const SALES_TABLES: Readonly<Record<(typeof GROUPS)[number], (sales: Sales) => CsvTable>> = {
  dish(sales) {
    const dishes = sortedDishes(sales);
    const hasWeights = dishes.some(({ weight }) => weight);
    const weightCells = ({ weight }: SoldDish) => [weight ? decimalOfMilli(weight.milli) : '', weight?.unit ?? ''];
    return {
      head: ['dish', 'units', 'revenue', ...(hasWeights ? ['weight', 'unit'] : [])],
      batches: oneBatch(
        dishes.map((dish) => [
          dish.name,
          dish.units,
          { cents: dish.revenueCents },
          ...(hasWeights ? weightCells(dish) : []),
        ]),
      ),
    };
  },
  hour: ({ hours }) => ({
    head: ['hour', ...SOLD_HEAD],
    batches: oneBatch(hours.map((sold, hour) => [hour, ...soldCells(sold)])),
  }),
  day: ({ days }) => ({
    head: ['date', ...SOLD_HEAD],
    batches: oneBatch([...days].map(([date, sold]) => [date, ...soldCells(sold)])),
  }),
};

const ORDERS_HEAD = [
  ...['order_id', 'order_number', 'date', 'time', 'mode', 'status', 'cancel_reason', 'units'],
  ...['revenue', 'subtotal', 'taxes', 'total', 'tip', 'refunded'],
];

async function* orderRows(days: StoreDays, batches: AsyncIterable<readonly OrderWithRefunds[]>) {
  for await (const batch of batches) yield batch.map((one) => orderCells(one, days));
}

function orderCells({ order, refunds }: OrderWithRefunds, { timeZone }: StoreDays): CsvCell[] {
  const lines = soldLines(order, refunds);
  const offered = offeredAtOf(order).toZonedDateTimeISO(timeZone);
  const part = storePartOf(order);
  const revenueCents = lines.reduce((sum, line) => sum + line.revenueCents, 0);
  const amounts = [
    revenueCents,
    part.subtotal,
    part.sales_tax_cents,
    part.total,
    tipOf(order),
    storeRefundedCents(order),
  ];
  return [
    order.orderId,
    shownOrderNumber(order),
    offered.toPlainDate().toString(),
    offered.toPlainTime().toString({ smallestUnit: 'minute' }),
    order.pickup ? 'pickup' : 'delivery',
    order.status,
    order.cancelReason ?? '',
    lines.reduce((sum, { units }) => sum + units, 0),
    ...amounts.map((cents) => ({ cents })),
  ];
}
