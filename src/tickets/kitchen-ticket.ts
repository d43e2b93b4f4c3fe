import { momentInWords } from '../messages/when.ts';
import type { Order, QuotedItem } from '../orders/order.ts';
import type { PricedCustomization } from '../quotes/unit-price.ts';
import type { ItemFacts, TicketContent } from './ticket.ts';
import { copyLines, dueLines, headLines } from './ticket-head.ts';
import { RULE, type TicketLine, textLine } from './ticket-line.ts';

const NO_FACTS: ItemFacts = { allergens: [], hasAlcohol: false };

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
    ...items.flatMap((item, at) => itemLines(item, content.itemFacts?.[at] ?? NO_FACTS)),
    RULE,
    textLine('strong', `${count} ${count === 1 ? 'item' : 'items'}`),
  ];
}

function customerNotes({ request }: Order): TicketLine[] {
  const { dropoffNotes, pickupNotes } = request.customer;
  const [label, notes] = request.mode === 'delivery' ? ['DROPOFF', dropoffNotes] : ['PICKUP', pickupNotes];
  return notes.trim() === '' ? [] : [textLine('alert', `${label}: ${notes}`)];
}

function itemLines(item: QuotedItem, { allergens, hasAlcohol }: ItemFacts): TicketLine[] {
  return [
    textLine('item', item.name, { lead: `${item.quantity} x ` }),
    ...optionLines(item.customizations, 2),
    ...(item.notes.trim() === '' ? [] : [textLine('alert', `NOTE: ${item.notes}`, { indent: 2 })]),
    ...(allergens.length === 0 ? [] : [textLine('alert', `ALLERGENS: ${allergenWords(allergens)}`, { indent: 2 })]),
    ...(hasAlcohol ? [textLine('alert', 'ALCOHOL - CHECK ID', { indent: 2 })] : []),
  ];
}

/** `tree_nuts` as `TREE NUTS`. */
function allergenWords(allergens: readonly string[]): string {
  return allergens.map((word) => word.replaceAll('_', ' ').toUpperCase()).join(', ');
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
