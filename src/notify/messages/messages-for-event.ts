import type { Branding } from '../../access/accounts/branding.ts';
import { movementOf } from '../../ordering/order/money-plan.ts';
import { isWeighedOrder, type Order, type OrderRequest } from '../../ordering/order/order.ts';
import type { EventData, OrderEvent, OrderEventType } from '../../ordering/order/order-events.ts';
import type { MessageChannel, MessageKind } from './message.ts';

export type MessageToWrite = { channel: MessageChannel; kind: MessageKind };

/** The order fields that decide which messages it sends. */
export type MessageRecipient = Pick<Order, 'moneyPlan'> & {
  request: Pick<OrderRequest, 'mode' | 'disableSms' | 'customer' | 'receipt'>;
  isWeighed: boolean;
};

/** Returns an order as the rules read it. */
export const recipientOf = (order: Order): MessageRecipient => ({ ...order, isWeighed: isWeighedOrder(order.quote) });

/** An account's settings for optional messages. */
export type ExtraMessages = Pick<Branding, 'onItsWay' | 'delivered'>;

/**
 * A message of an event. `only` limits it to orders of this mode, `unheld` to goods by weight that no card pays;
 * `extra` names the setting that enables it.
 */
type Rule = MessageToWrite & { only?: OrderRequest['mode']; unheld?: true; extra?: keyof ExtraMessages };

const ON_EVENT: Readonly<Partial<Record<OrderEventType, readonly Rule[]>>> = {
  'order.placed': [
    { channel: 'sms', kind: 'order_placed' },
    { channel: 'email', kind: 'order_confirmation' },
  ],
  'order.confirmed': [{ channel: 'sms', kind: 'store_confirmed' }],
  'order.delayed': [{ channel: 'sms', kind: 'order_delayed' }],
  'order.item_changed': [{ channel: 'email', kind: 'order_item_changed' }],
  'order.ready': [{ channel: 'sms', kind: 'ready_for_pickup', only: 'pickup' }],
  'order.hold_declined': [{ channel: 'email', kind: 'card_declined' }],
  'order.captured': [{ channel: 'email', kind: 'final_receipt' }],
  'order.picked_up': [...extraMessages('on_its_way', 'onItsWay'), unheldReceipt('delivery')],
  'order.driver_nearby': [{ channel: 'sms', kind: 'driver_nearby', only: 'delivery' }],
  'order.completed': [...extraMessages('delivered', 'delivered'), unheldReceipt('pickup')],
  'order.canceled': [{ channel: 'email', kind: 'order_canceled' }],
  'order.refunded': [{ channel: 'email', kind: 'order_refunded' }],
};

/**
 * Returns the messages of an event (docs/messages.md). The cancelation email covers its refund, so customers get one
 * email; other refunds have their own. A missing item is reported with its refund, the last one with the cancelation;
 * a delay only where it moves the time that the customer knows.
 */
export function messagesForEvent(
  event: OrderEvent,
  { request, isWeighed, ...order }: MessageRecipient,
  extras: ExtraMessages,
): MessageToWrite[] {
  if (event.type === 'order.refunded' && event.data.kind !== 'requested') return [];
  if (event.type === 'order.item_changed' && (event.data.is_last || isWeighing(event.data))) return [];
  if (event.type === 'order.captured' && event.data.captured_cents === null) return [];
  if (event.type === 'order.delayed' && event.data.to === event.data.from) return [];
  // No card holds money for its goods by weight, so nothing is captured.
  const isUnheld = isWeighed && movementOf(order, 'leave') === 'nothing';
  const wanted = (ON_EVENT[event.type] ?? []).filter(({ channel, only, unheld, extra }) => {
    if ((only !== undefined && only !== request.mode) || (unheld && !isUnheld)) return false;
    if (extra !== undefined && extras[extra] !== 'both' && extras[extra] !== channel) return false;
    if (channel === 'sms') return !request.disableSms && request.customer.phone !== null;
    return !request.receipt.disableEmail && request.customer.email !== '';
  });
  return wanted.map(({ channel, kind }) => ({ channel, kind }));
}

/** Whether the event only weighs goods, whose price the final receipt has. */
const isWeighing = ({ weight, quantity, substituted_for: replaced }: EventData<'order.item_changed'>) =>
  weight !== undefined && quantity > 0 && replaced === null;

/** Whether an event contains optional messages. */
export function isExtra(type: OrderEventType): boolean {
  return (ON_EVENT[type] ?? []).some(({ extra }) => extra !== undefined);
}

function extraMessages(kind: MessageKind, extra: keyof ExtraMessages): Rule[] {
  return (['sms', 'email'] as const).map((channel) => ({ channel, kind, only: 'delivery', extra }));
}

/** The final receipt of an order without card payment, when its goods leave the store. */
function unheldReceipt(only: OrderRequest['mode']): Rule {
  return { channel: 'email', kind: 'final_receipt', only, unheld: true };
}
