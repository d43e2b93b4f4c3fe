import { Type } from 'typebox';
import { listOrderDays, type OrderDay } from '../../ordering/order/order-days.db.ts';
import type { Db } from '../../platform/db/connect.ts';
import { component, describedObject, optionalText, orNull } from '../../platform/http/api-components.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { KEY_MODES } from './field-schemas.ts';
import { countOtherMode, OTHER_MODE_ORDERS } from './list-any-orders.route.ts';
import { procedure } from './procedure.ts';

const RANGES = ['7', '30', '90'] as const;

const DaySchema = component('OrderDay', 'A day of orders.', {
  day: Type.String({ description: '`YYYY-MM-DD`.' }),
  orders: Type.Integer({ description: 'Placed orders.' }),
  canceled: Type.Integer({ description: 'Those of them that were canceled.' }),
  sales: Type.Integer({ description: 'Cents. Their totals with tips, less what was refunded.' }),
  refunded: Type.Integer({ description: 'Cents. What was refunded of them.' }),
  confirm_seconds: orNull(Type.Integer(), 'From the offer to the confirmation on average; null if none was confirmed.'),
});

export const readTrendsProcedure = procedure({
  endpoint: 'GET /operator/trends',
  role: 'viewer',
  summary: 'Orders, sales, acceptance time and cancelations per day',
  description:
    "Oldest day first, up to today. An order counts on the day that it was placed, by its store's clock; without `store_id` today is in UTC.",
  example: { query: { days: '7', mode: 'sandbox' } },
  query: Type.Object({
    days: Type.Optional(Type.Enum([...RANGES], { description: 'How many days; 30 by default.' })),
    mode: Type.Optional(Type.Enum([...KEY_MODES], { description: 'Orders of this key mode; live by default.' })),
    store_id: optionalText(64, 'Orders of this store.'),
    account_id: optionalText(64, 'Orders of this account.'),
  }),
  answer: describedObject('Every day of the range.', {
    days: Type.Array(DaySchema),
    other_mode_orders: OTHER_MODE_ORDERS,
  }),
  async run({ db, clock }: { db: Db; clock: Clock }, { query }) {
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
  },
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
