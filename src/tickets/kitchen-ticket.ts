import type { Allergen } from '../catalog/food.ts';
import { momentInWords } from '../messages/when.ts';
import { allergensOf } from '../orders/item-food.ts';
import type { Order, QuotedItem } from '../orders/order.ts';
import type { PricedCustomization } from '../quotes/unit-price.ts';
import type { TicketContent } from './ticket.ts';
import { copyLines, dueLines, headLines } from './ticket-head.ts';
import { RULE, type TicketLine, textLine } from './ticket-line.ts';

/** What the kitchen makes, for when and for whom. No price is on it. */
export function kitchenTicket(order: Order, content: TicketContent): TicketLine[] {
  const { quote, request, placedAt } = order;
  const { store, items } = quote;
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
    ...items.flatMap(itemLines),
    RULE,
    textLine('strong', `${count} ${count === 1 ? 'item' : 'items'}`),
  ];
}

function customerNotes({ request }: Order): TicketLine[] {
  const { dropoffNotes, pickupNotes } = request.customer;
  const [label, notes] = request.mode === 'delivery' ? ['DROPOFF', dropoffNotes] : ['PICKUP', pickupNotes];
  return notes.trim() === '' ? [] : [textLine('alert', `${label}: ${notes}`)];
}

function itemLines(item: QuotedItem): TicketLine[] {
  const { contains, mayContain } = allergensOf(item);
  return [
    textLine('item', item.name, { lead: `${item.quantity} x ` }),
    ...optionLines(item.customizations, 2),
    ...(item.notes.trim() === '' ? [] : [textLine('alert', `NOTE: ${item.notes}`, { indent: 2 })]),
    ...allergenLine('ALLERGENS', contains),
    ...allergenLine('MAY CONTAIN', mayContain),
    ...(item.isAlcoholic ? [textLine('alert', 'ALCOHOL - CHECK ID', { indent: 2 })] : []),
  ];
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
