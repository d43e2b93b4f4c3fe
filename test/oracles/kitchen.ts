import type { Kitchen } from '../../src/supply/stores/kitchen.ts';

/**
 * A kitchen as the decision states it, without a load: every order keeps the minutes when its parts are cooked, and
 * room is counted over all of them.
 */
export type CookedOrder = { parts: readonly { fromMinute: number; items: number }[] };

/** An order to cook: before its slot, otherwise as soon as possible. All times are minutes since the epoch. */
export type OrderToCook = { items: number; slotMinute: number | null };

const QUARTER = 15;
const quarterOf = (minute: number) => minute - (((minute % QUARTER) + QUARTER) % QUARTER);

/** The order's parts in the quarters that it takes: full ones, then the rest. */
function cookedFrom({ items: most }: Kitchen, items: number, fromMinute: number): CookedOrder {
  const parts: { fromMinute: number; items: number }[] = [];
  let left = items;
  for (let minute = fromMinute; left > 0; minute += QUARTER) {
    const now = most === null ? left : Math.min(left, most);
    parts.push({ fromMinute: minute, items: now });
    left -= now;
  }
  return { parts };
}

/** Whether no quarter has more orders or more items than the kitchen can cook. */
export function isKept({ orders, items }: Kitchen, held: readonly CookedOrder[]): boolean {
  const cooked = held.flatMap(({ parts }) => parts);
  return cooked.every(({ fromMinute }) => {
    const beside = cooked.filter((part) => part.fromMinute === fromMinute);
    const together = beside.reduce((sum, part) => sum + part.items, 0);
    return (orders === null || beside.length <= orders) && (items === null || together <= items);
  });
}

/** Cooks an order beside the held ones; undefined if it cannot be. An ASAP order is tried at every quarter from now on. */
export function cook(
  kitchen: Kitchen,
  held: readonly CookedOrder[],
  { items, slotMinute }: OrderToCook,
  nowMinute: number,
): CookedOrder | undefined {
  const fits = (order: CookedOrder) => isKept(kitchen, [...held, order]);
  if (slotMinute !== null) {
    // Cooked by the slot, in quarters that are not over: by the end of the current one where the slot is in it.
    const end = Math.max(quarterOf(slotMinute), quarterOf(nowMinute) + QUARTER);
    const order = cookedFrom(kitchen, items, end - cookedFrom(kitchen, items, 0).parts.length * QUARTER);
    const isOver = order.parts.some(({ fromMinute }) => fromMinute + QUARTER <= nowMinute);
    return !isOver && fits(order) ? order : undefined;
  }
  for (let minute = quarterOf(nowMinute); minute < quarterOf(nowMinute) + 2 * 24 * 60; minute += QUARTER) {
    const order = cookedFrom(kitchen, items, minute);
    if (fits(order)) return order;
  }
  return undefined;
}
