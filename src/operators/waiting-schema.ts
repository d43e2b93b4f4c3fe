import { type Static, Type } from 'typebox';
import { named } from '../http/api-components.ts';
import { STORE_CHANNELS } from '../offers/store-channel.ts';
import { maybeText, moment } from './field-schemas.ts';

const WaitingOfferSchema = Type.Object(
  {
    channel: Type.Enum([...STORE_CHANNELS]),
    state: Type.Enum(['waiting', 'sent', 'acknowledged', 'withdrawn']),
    attempts: Type.Integer(),
    sent_at: moment('When the channel had the order.'),
    last_error: maybeText('Why the last attempt failed.'),
    failing_since: moment('Since when every attempt on this channel of the store fails.'),
  },
  named('WaitingOffer', 'What became of an order on one channel of its store.'),
);

/** A live order that its store has not confirmed. */
export const WaitingOrderSchema = Type.Object(
  {
    order_id: Type.String(),
    order_number: Type.String(),
    account_id: Type.String(),
    account_name: Type.String(),
    store_id: Type.String(),
    store_name: Type.String(),
    store_phone: Type.Union([Type.Integer(), Type.Null()], { description: 'Digits with the country code first.' }),
    store_time_zone: Type.String(),
    pickup: Type.Boolean(),
    item_count: Type.Integer(),
    total_with_tip: Type.Integer({ description: 'Cents.' }),
    offered_at: Type.Integer({ description: 'Epoch seconds.' }),
    received_at: moment('When a first channel had the order.'),
    confirm_by: moment('When it is canceled unless it is confirmed.'),
    scheduled_for: moment('When the window of a scheduled order begins.'),
    rings_at: moment('When it rings; null once a channel has acknowledged it.'),
    offers: Type.Array(WaitingOfferSchema),
  },
  named('WaitingOrder', 'A live order that its store has not confirmed.'),
);
export type WaitingOrder = Static<typeof WaitingOrderSchema>;

export const WaitingSchema = Type.Object(
  {
    now: Type.Integer({ description: "The service's clock, in epoch seconds." }),
    orders: Type.Array(WaitingOrderSchema),
    more: Type.Boolean({ description: 'Whether more orders wait than are listed.' }),
  },
  { description: 'Longest waiting first, at most 200.' },
);
export type Waiting = Static<typeof WaitingSchema>;
