import { sql as raw } from 'kysely';
import type { Caller } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { PersonalData } from '../../platform/db/personal-data.db.ts';
import { localeOf } from '../../texts/catalogs.ts';
import type { Customer } from './order.ts';

/**
 * Erases an order's personal data: names, phones, emails, addresses, notes, photos and positions. Items, charges,
 * refunds and taxes stay, as do the types and numbers of its events; the order reads as if it never had the rest.
 * Each folder lists its own tables, and app/wiring/retentions.ts joins the lists.
 */

export const OF_ORDERS = 'order_id = any($1::text[])';

/** Orders that are over: no step, event, refund or tip of theirs is still to come. */
const IS_OVER = `(status in ('completed', 'canceled') or status = 'unplaced' and charge_state = 'refunded')
  and refunding_cents = 0 and charge_state not in ('pending', 'capturing', 'refund_pending')
  and not exists (select from order_events as e where e.order_id = orders.order_id and not e.dispatched)
  and not exists (select from order_tips as t where t.order_id = orders.order_id and t.state in ('pending', 'returning'))`;

/** Unplaced orders without a charge under way. */
const IS_UNPLACED = `status = 'unplaced' and charge_state in ('none', 'declined')`;

/** Orders that have ended, and since when. After some time they lose their personal data. There is an index. */
export const ORDERS_TO_FORGET = {
  table: 'orders',
  age: 'coalesce(completed_at, canceled_at, requoted_at, created_at)',
  where: `not is_forgotten and ${IS_OVER}`,
};

/** Replaces the customer's data; the omitted members say where the taxes and hours apply, and the language. */
const NOBODY = {
  name: '',
  email: '',
  phone: null,
  phoneExtension: '',
  latitude: null,
  longitude: null,
  streetNum: '',
  streetName: '',
  aptNum: '',
  city: '',
  zipcode: '',
  dropoffNotes: '',
  pickupNotes: '',
} satisfies Omit<Customer, 'userId' | 'state' | 'country' | 'timeZone' | 'language' | 'dropOff'>;

/** An account's own ID of the user stays, unless it is an email or the phone. */
const USER_ID = `case when user_id like '%@%' or ltrim(user_id, '+1') = ltrim(request->'customer'->>'phone', '1') then '' else user_id end`;

const CODES = [...Object.keys(localeOf('en', 'US').words.customer.cancelReason), 'missing'].map((code) => `'${code}'`);
/** Writes SQL that keeps reasons that are codes, and drops sentences of people, which may name someone. */
export const codeOnly = (reason: string) => `case when ${reason} in (${CODES.join(', ')}) then ${reason} else '' end`;

/** Returns SQL for the items of a request or quote without their notes. */
const withoutNotes = (items: string) => `(select coalesce(jsonb_agg(item || '{"notes": ""}' order by place), '[]')
  from jsonb_array_elements(${items}) with ordinality as i (item, place))`;

/** Personal data of orders, in an order that updates the order's own row last: others read it. */
export const ORDER_PERSONAL_DATA: readonly PersonalData[] = [
  { table: 'driver_positions', where: OF_ORDERS },
  {
    table: 'order_events',
    where: OF_ORDERS,
    set: {
      data: `case when data ? 'reason' then data || jsonb_build_object('reason', ${codeOnly("data->>'reason'")}) else data end`,
      progress: `progress || jsonb_build_object('driver', '{}'::jsonb, 'cancelReason',
        case when progress->>'cancelReason' is not null then ${codeOnly("progress->>'cancelReason'")} end)`,
    },
  },
  {
    table: 'orders',
    where: OF_ORDERS,
    set: {
      is_forgotten: 'true',
      user_id: USER_ID,
      request: `request - 'checkoutReturnUrl' || jsonb_build_object('metadata', '{}'::jsonb,
        'items', ${withoutNotes("request->'items'")},
        'customer', request->'customer' || '${JSON.stringify(NOBODY)}' || jsonb_build_object('userId', ${USER_ID}))`,
      quote: `(quote #- '{taxCalculation,question}') || jsonb_build_object('items', ${withoutNotes("quote->'items'")})`,
      driver: `'{}'`,
      handover_code: 'null',
      cancel_reason: `case when cancel_reason is not null then ${codeOnly('cancel_reason')} end`,
    },
  },
];

/** A user of an account in one key mode. */
export type AccountUser = Pick<Caller, 'accountId' | 'mode'> & { userId: string };

const isOfUser = ({ accountId, mode, userId }: AccountUser) =>
  raw`account_id = ${accountId} and mode = ${mode} and user_id = ${userId} and not is_forgotten`;

/** Whether the user has an order that is neither over nor merely quoted. */
export async function hasOpenOrder(sql: Sql, user: AccountUser): Promise<boolean> {
  const { rows } = await raw`select from orders where ${isOfUser(user)}
    and not (${raw.raw(IS_OVER)}) and not (${raw.raw(IS_UNPLACED)}) limit 1`.execute(sql);
  return rows.length > 0;
}

/** Locks orders of a user that are over or unplaced. `wasCharged`: a late charge may still be looked up. */
export async function lockOrdersOfUser(tx: Sql, user: AccountUser, limit: number) {
  const { rows } = await raw<{ orderId: string; isUnplaced: boolean; wasCharged: boolean }>`
    select order_id, status = 'unplaced' as is_unplaced, charge_attempt > 0 as was_charged from orders
    where ${isOfUser(user)} and (${raw.raw(IS_OVER)} or ${raw.raw(IS_UNPLACED)})
    order by created_at limit ${limit} for update`.execute(tx);
  return rows;
}

export async function deleteOrders(tx: Sql, orderIds: readonly string[]): Promise<void> {
  await raw`delete from orders where order_id = any(${[...orderIds]}::text[])`.execute(tx);
}

/** Takes the orders out of the user's favorites. */
export async function unfavorOrders(tx: Sql, orderIds: readonly string[]): Promise<void> {
  await raw`update orders set favorited = false, request = request || '{"favorited": false}'
    where order_id = any(${[...orderIds]}::text[]) and favorited`.execute(tx);
}
