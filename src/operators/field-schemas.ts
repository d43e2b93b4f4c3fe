import { Type } from 'typebox';
import type { ChargeState } from '../orders/order.ts';

export const moment = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description} Epoch seconds, or null.` });
export const maybeText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const MODES = ['live', 'sandbox'] as const;

/** In the sequence of an order's life. */
export const CHARGE_STATES = [
  'none',
  'pending',
  'waiting',
  'charged',
  'declined',
  'refund_pending',
  'refunded',
] as const satisfies readonly ChargeState[];

export const BEFORE = Type.Optional(
  Type.String({ maxLength: 120, description: 'The `next` of the page before: the page after it.' }),
);
export const NEXT = Type.Union([Type.String(), Type.Null()], {
  description: 'The `before` of the next page; null on the last.',
});
