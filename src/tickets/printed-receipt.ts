import { formatPrice } from '../lib/money.ts';
import { phoneInWords } from '../lib/phone.ts';
import { formatExtra, needsUnitPrice, totalLabelOf } from '../messages/mail-content.ts';
import { destinationFacts } from '../messages/message-context.ts';
import { type Receipt, type ReceiptItem, type ReceiptOption, receiptOfOrder } from '../messages/receipt.ts';
import { arrivalLabel } from '../messages/receipt-mail.ts';
import { dayInWords, timeInWords } from '../messages/when.ts';
import type { Order } from '../orders/order.ts';
import { numberOf } from '../orders/order.ts';
import type { TicketContent } from './ticket.ts';
import { copyLines, dueInWords } from './ticket-head.ts';
import { amountLine, RULE, type TicketLine, textLine } from './ticket-line.ts';

/** The customer's receipt that goes with the order: the items and amounts of the e-mailed receipt (docs/messages.md). */
export function printedReceipt(order: Order, content: TicketContent): TicketLine[] {
  const receipt = receiptOfOrder(order, content.refunds ?? []);
  return [
    ...copyLines(order, content),
    ...storeLines(order),
    RULE,
    ...orderLines(order, content),
    RULE,
    ...receipt.items.flatMap(itemLines),
    RULE,
    ...totalLines(order, receipt),
    RULE,
    textLine('strong', thanksOf(order.request.customer.name)),
    textLine('centre', `Ordered with ${content.brandName}`),
  ];
}

function storeLines({ quote }: Order): TicketLine[] {
  const { name, address, phoneNumber } = quote.store;
  return [
    textLine('title', name),
    textLine('centre', address),
    ...(phoneNumber === null ? [] : [textLine('centre', phoneInWords(phoneNumber))]),
  ];
}

function orderLines(order: Order, content: TicketContent): TicketLine[] {
  const { quote, request } = order;
  const isDelivery = request.mode === 'delivery';
  const at = order.placedAt ?? order.createdAt;
  const { timeZone } = quote.store;
  const { year } = at.toZonedDateTimeISO(timeZone);
  return [
    textLine('title', `Order ${numberOf(order)}`),
    textLine('plain', `Date: ${dayInWords(at, timeZone)}, ${year}, ${timeInWords(at, timeZone)}`),
    textLine('plain', `${arrivalLabel(isDelivery, quote.scheduled !== null)}: ${dueInWords(order, content)}`),
    ...(isDelivery ? [] : [textLine('plain', `For: ${request.customer.name}`)]),
    ...destinationFacts(order).flatMap(({ label, lines }) => [
      textLine('plain', `${label}:`),
      ...lines.map((line) => textLine('plain', line, { indent: 1 })),
    ]),
  ];
}

function itemLines(item: ReceiptItem): TicketLine[] {
  return [
    amountLine('strong', `${item.quantity} x ${item.name}`, formatPrice(item.totalCents)),
    ...(needsUnitPrice(item) ? [textLine('plain', `${formatPrice(item.unitCents)} each`, { indent: 1 })] : []),
    ...optionLines(item.options, 1),
    ...(item.change === undefined ? [] : [textLine('strong', item.change, { indent: 1 })]),
    ...(item.notes.trim() === '' ? [] : [textLine('plain', `Note: ${item.notes}`, { indent: 1 })]),
  ];
}

function optionLines(options: readonly ReceiptOption[], indent: number): TicketLine[] {
  return options.flatMap((option) => {
    const times = option.quantity > 1 ? `${option.quantity} x ` : '';
    const extra = option.extraCents === 0 ? '' : ` (${formatExtra(option.extraCents)})`;
    const line = textLine('plain', `${option.customization}: ${times}${option.name}${extra}`, { indent });
    return [line, ...optionLines(option.options, indent + 1)];
  });
}

function totalLines(order: Order, receipt: Receipt): TicketLine[] {
  const { chargedCents } = order;
  const plain = (label: string, cents: number) => amountLine('plain', label, formatPrice(cents));
  return [
    plain('Subtotal', receipt.subtotalCents),
    ...receipt.charges.map(({ label, cents }) => plain(label, cents)),
    amountLine('total', totalLabelOf(receipt), formatPrice(receipt.totalCents)),
    ...(chargedCents > 0 ? [plain('Paid by card', chargedCents)] : []),
    ...receipt.refunds.map(({ label, cents }) => plain(label, cents)),
  ];
}

function thanksOf(customerName: string): string {
  const firstName = customerName.trim().split(/\s/)[0] ?? '';
  return firstName === '' ? 'Thank you for your order!' : `Thank you for your order, ${firstName}!`;
}
