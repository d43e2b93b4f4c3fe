import type { StoreOrder } from '../offers/present-store-order.ts';
import { dueEpochS, laneOf } from './order-lane.ts';

export type OrderOption = { customization: string; name: string; quantity: number; options: readonly OrderOption[] };

/** The options of one customization; those that have options of their own stand alone, so that these are theirs. */
export type OptionLine = { customization: string; options: readonly OrderOption[] };

/** `Crust: Deep pan` and `Toppings: Kalamata olives, 2× Calabrian chili` as lines, in the sequence of the order. */
export function optionLines(options: readonly OrderOption[]): OptionLine[] {
  const lines: { customization: string; options: OrderOption[] }[] = [];
  for (const option of options) {
    const last = lines.at(-1);
    const joins = last?.customization === option.customization && ![...last.options, option].some(hasOptions);
    if (joins) last.options.push(option);
    else lines.push({ customization: option.customization, options: [option] });
  }
  return lines;
}

const hasOptions = ({ options }: OrderOption) => options.length > 0;

/** Orders that are due later are not counted: a dinner that was scheduled for tomorrow is nothing to cook now. */
const ALL_DAY_S = 2 * 3600;

/** The all-day counts of a kitchen: how many of each dish are open, most first. */
export function allDayCounts(orders: Iterable<StoreOrder>, nowEpochS: number): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const order of orders) {
    const isOpen = ['new', 'kitchen'].includes(laneOf(order)) && dueEpochS(order) - nowEpochS <= ALL_DAY_S;
    if (!isOpen) continue;
    for (const { name, fulfilled_quantity: quantity } of order.items) {
      if (quantity > 0) counts.set(name, (counts.get(name) ?? 0) + quantity);
    }
  }
  const list = [...counts].map(([name, count]) => ({ name, count }));
  return list.sort((a, b) => b.count - a.count || a.name.localeCompare(b.name, 'en'));
}
