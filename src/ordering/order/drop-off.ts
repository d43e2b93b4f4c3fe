import type { Locale } from '../../texts/catalogs.ts';
import type { DropOff, Order } from './order.ts';

/** Handoff choices: where, with or without utensils, and whether a PIN is required. */

export type Handover = { isDelivery: boolean; dropOff: DropOff | undefined; notes: string };

/** The customer's handoff instructions; the notes are for the driver, or for the store of a pickup. */
export function handoverOf({ request: { mode, customer } }: { request: Pick<Order['request'], 'mode' | 'customer'> }) {
  const isDelivery = mode === 'delivery';
  const notes = (isDelivery ? customer.dropoffNotes : customer.pickupNotes).trim();
  return { isDelivery, dropOff: customer.dropOff, notes } satisfies Handover;
}

export function isSameDropOff(one: DropOff | undefined, other: DropOff | undefined): boolean {
  return one?.where === other?.where && one?.utensils === other?.utensils && one?.code === other?.code;
}

/** A handoff in words, a line each: where, utensils, the code, and the notes. */
export function handoverLines(
  { isDelivery, dropOff, notes }: Handover,
  says: Locale['words']['customer']['dropOff'],
): string[] {
  return [
    ...(dropOff && isDelivery ? [says.where[dropOff.where]] : []),
    ...(dropOff ? [dropOff.utensils ? says.utensils : says.noUtensils] : []),
    ...(dropOff?.code ? [says.asksCode] : []),
    ...(notes === '' ? [] : [notes]),
  ];
}
