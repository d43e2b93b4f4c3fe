import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { listOrderDays, type OrderDay } from '../../ordering/order/order-days.db.ts';
import type { Context } from '../../platform/db/context.ts';
import { component, describedObject, optionalText, orNull } from '../../platform/http/api-components.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { KEY_MODES } from './field-schemas.ts';
import { countOtherMode, OTHER_MODE_ORDERS } from './list-any-orders.route.ts';

const RANGES = ['7', '30', '90'] as const;

const DaySchema = component('OrderDay', 'The orders of one day.', {
  day: Type.String({ description: '`YYYY-MM-DD`.' }),
  orders: Type.Integer({ description: 'The number of placed orders.' }),
  canceled: Type.Integer({ description: 'The number of them canceled.' }),
  sales: Type.Integer({ description: "The orders' totals with tips, minus refunds, in cents." }),
  refunded: Type.Integer({ description: "The orders' refunds, in cents." }),
  confirm_seconds: orNull(Type.Integer(), 'The average time from order to confirmation. Null if none was confirmed.'),
});

export const readTrendsOperation = operation({
  endpoint: 'GET /trends',
  summary: 'Get orders, sales, acceptance time and cancellations per day',
  description:
    "Oldest day first, up to today. An order counts on the day it was placed in its store's time zone. Without `store_id`, the last day is today in UTC.",
  example: { query: { days: '7', mode: 'sandbox' } },
  query: Type.Object({
    days: Type.Optional(Type.Enum([...RANGES], { description: 'Defaults to 30.' })),
    mode: Type.Optional(Type.Enum([...KEY_MODES], { description: 'Defaults to `live`.' })),
    store_id: optionalText(64, "Returns this store's orders."),
    account_id: optionalText(64, "Returns this account's orders."),
  }),
  answer: describedObject('Every day in the range.', {
    days: Type.Array(DaySchema),
    other_mode_orders: OTHER_MODE_ORDERS,
  }),
  on: { operator: { role: 'viewer' } },
}).run(async ({ db, clock }: Context, { query }) => {
  const { days = '30', mode = 'live', store_id: storeId, account_id: accountId } = query;
  const store = storeId === undefined ? undefined : await findStore(db, storeId);
  const to = clock
    .now()
    .toZonedDateTimeISO(store?.timeZone ?? 'UTC')
    .toPlainDate();
  const from = to.subtract({ days: Number(days) - 1 });
  const counted = await listOrderDays(db, { mode, storeId, accountId, from, to });
  const isEmpty = counted.every(({ orders }) => orders === 0);
  const filter = { storeId, accountId, days: { from, to } };
  return {
    days: counted.map(presentDay),
    other_mode_orders: isEmpty ? await countOtherMode(db, mode, filter) : null,
  };
});

function presentDay({ day, orders, canceled, salesCents, refundedCents, confirmed, confirmSeconds }: OrderDay) {
  return {
    day,
    orders,
    canceled,
    sales: salesCents - refundedCents,
    refunded: refundedCents,
    confirm_seconds: confirmed === 0 ? null : Math.round(confirmSeconds / confirmed),
  };
}
