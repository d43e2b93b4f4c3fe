import type { PrintOptions } from '../../src/fulfillment/tickets/ticket-documents.ts';
import type { ItemAdjustment, Order } from '../../src/ordering/order/order.ts';
import { type ContextTexts, givenMessageContext, PLAIN_DINNER } from './message-context.ts';

export const TICKET_NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');

export const FIRST_PRINT: PrintOptions = {
  ...{
    copy: 0,
    mayBeRepeated: false,
    brandName: 'Supper Club',
    language: 'en',
    customerLanguage: 'en',
    now: TICKET_NOW,
  },
  encoding: 'multilingual',
};

/** A live order on a ticket: placed and charged at 1:00 PM in New York. Texts and members can be overridden. */
export function givenTicketOrder(texts: Partial<ContextTexts> = {}, changes: Partial<Order> = {}): Order {
  const { order } = givenMessageContext(PLAIN_DINNER, { texts });
  return {
    ...order,
    mode: 'live',
    createdAt: TICKET_NOW,
    placedAt: TICKET_NOW,
    canceledAt: null,
    cancelReason: null,
    chargeState: 'charged',
    refundedCents: 0,
    refundingCents: 0,
    ...changes,
  };
}

/** The handed-over part of the first item: this many units, of a tea if `substitute` is set. */
export function adjustmentOf(order: Order, quantity: number, substitute = false): ItemAdjustment {
  const { unitCents = 0, markedUnitCents = 0, taxClass = 'general' } = order.quote.items[0] ?? {};
  const tea = { productId: 'tea', productNo: 7, externalId: 'tea', name: 'Tea', image: null, isAlcoholic: false };
  const priced = { taxClass, unitCents, markedUnitCents, customizations: [] };
  return { index: 0, quantity, substitute: substitute ? { ...tea, ...priced } : null };
}

export const asPickup = (order: Order): Order => ({ ...order, request: { ...order.request, mode: 'pickup' } });
