import type { Allergen } from '../catalog/food.ts';
import { momentInWords } from '../messages/when.ts';
import { type FulfilledItem, fulfilledItems } from '../orders/adjustments/item-adjustment.ts';
import { allergensOf } from '../orders/item-food.ts';
import type { Order } from '../orders/order.ts';
import type { PricedCustomization } from '../quotes/price-order.ts';
import type { TicketContent } from './ticket.ts';
import { copyLines, dueLines, headLines } from './ticket-head.ts';
import { RULE, type TicketLine, textLine } from './ticket-line.ts';

/** What the kitchen makes, for when and for whom. No price is on it. */
export function kitchenTicket(order: Order, content: TicketContent): TicketLine[] {
  const { quote, request, placedAt } = order;
  const { store } = quote;
  const items = fulfilledItems(order);
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const placed = placedAt ?? order.createdAt;
  return [
    ...copyLines(order, content),
    ...(content.mayBeRepeated ? [textLine('centre', 'Look for this number before you make it.')] : []),
    ...headLines(order),
    ...dueLines(order, content),
    textLine('item', request.customer.name),
    textLine('plain', `${store.name} - placed ${momentInWords(placed, store.timeZone, content.now)}`),
    ...customerNotes(order),
    RULE,
    ...items.flatMap((item, index) => [...itemLines(item), ...missingLines(order, item, index)]),
    RULE,
    textLine('strong', `${count} ${count === 1 ? 'item' : 'items'}`),
  ];
}

function customerNotes({ request }: Order): TicketLine[] {
  const { dropoffNotes, pickupNotes } = request.customer;
  const [label, notes] = request.mode === 'delivery' ? ['DROPOFF', dropoffNotes] : ['PICKUP', pickupNotes];
  return notes.trim() === '' ? [] : [textLine('alert', `${label}: ${notes}`)];
}

function itemLines(item: FulfilledItem): TicketLine[] {
  const { contains, mayContain } = allergensOf(item);
  const line = textLine('item', item.name, { lead: `${item.quantity} x ` });
  if (item.quantity === 0) return [line];
  return [
    line,
    ...optionLines(item.customizations, 2),
    ...(item.notes.trim() === '' ? [] : [textLine('alert', `NOTE: ${item.notes}`, { indent: 2 })]),
    ...allergenLine('ALLERGENS', contains),
    ...allergenLine('MAY CONTAIN', mayContain),
    ...(item.isAlcoholic ? [textLine('alert', 'ALCOHOL - CHECK ID', { indent: 2 })] : []),
  ];
}

/** What the store lacks of an item, and what stands in its place; else what the customer wants if the store lacks it. */
function missingLines({ request }: Order, item: FulfilledItem, index: number): TicketLine[] {
  const { quantity, orderedQuantity, replaces } = item;
  const alert = (text: string) => textLine('alert', text, { indent: 2 });
  const fewer = quantity < orderedQuantity ? [alert(fewerWords(quantity, orderedQuantity))] : [];
  if (replaces) return [alert(`INSTEAD OF: ${replaces.name}`), ...fewer];
  if (fewer.length > 0) return fewer;
  const { preference } = request.items[index]?.substitution ?? { preference: 'refund' };
  if (preference === 'refund') return [];
  const named = item.namedSubstitutes.map(({ name }) => name).join(' or ');
  return [textLine('plain', `If missing: ${preference === 'specific' ? named : 'your choice'}`, { indent: 2 })];
}

function fewerWords(quantity: number, ordered: number): string {
  return quantity === 0 ? `MISSING - ${ordered} ORDERED` : `ONLY ${quantity} OF ${ordered}`;
}

/** `tree_nuts` as `TREE NUTS`. No line says that an item has no allergens. */
function allergenLine(label: string, allergens: readonly Allergen[] | null): TicketLine[] {
  if (!allergens || allergens.length === 0) return [];
  const words = allergens.map((word) => word.replaceAll('_', ' ').toUpperCase());
  return [textLine('alert', `${label}: ${words.join(', ')}`, { indent: 2 })];
}

/** Options below their customization; an option's own options one step further right. */
function optionLines(customizations: readonly PricedCustomization[], indent: number): TicketLine[] {
  return customizations.flatMap(({ name: customization, options }) =>
    options.flatMap((option) => {
      const times = option.quantity === 1 ? '' : `${option.quantity} x `;
      const text = `${customization}: ${times}${option.name}`;
      return [textLine('strong', text, { indent, lead: '+ ' }), ...optionLines(option.customizations, indent + 1)];
    }),
  );
}
