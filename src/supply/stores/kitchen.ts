/*
 * A kitchen's room: how many orders and items a store cooks per quarter of an hour, and which quarters an order takes
 * (docs/quotes.md#kitchen-capacity). Quarters are counted from the epoch: every UTC offset in the US and Canada is a
 * whole number of them.
 */

const QUARTER_S = 900;
const MINUTE_S = 60;

/** Quarters searched for an ASAP order: two days, beyond any limit on the wait. */
const MAX_QUARTERS = 2 * 96;

/** Limits per quarter of an hour; null is unlimited. An ASAP order waits up to `maxWaitMinutes` for capacity. */
export type Kitchen = { orders: number | null; items: number | null; maxWaitMinutes: number };

/** Whether a store quotes its stated or its learned preparation minutes. */
export const PREPARATIONS = ['stated', 'auto'] as const;
export type Preparation = (typeof PREPARATIONS)[number];

/** Which minutes a store quotes now. */
export const preparationSetting = ({ learned }: { learned: LearnedMinutes | null }): Preparation =>
  learned ? 'auto' : 'stated';

/** Minutes of one hour of the week: half of its orders, and four of five, were ready within these. */
export type LearnedHour = readonly [median: number, p80: number, orders: number];

/** By hour of the week, 0 on Monday at midnight. Hours with fewer orders than `MIN_LEARNED_ORDERS` are absent. */
export type LearnedMinutes = Readonly<Record<string, LearnedHour>>;

/** Limits to change; an omitted one stays as it is. */
export type KitchenChange = { orders?: number | null; items?: number | null };

/** Minutes that a busy kitchen adds to its preparation until a moment. */
export type Busy = { minutes: number; until: Temporal.Instant };

/** The minutes that a busy kitchen adds to an order placed now. They expire without a write, as a pause does. */
export const busyMinutesAt = (busy: Busy | null, now: Temporal.Instant): number =>
  busy !== null && now.epochMilliseconds < busy.until.epochMilliseconds ? busy.minutes : 0;

export const DEFAULT_MAX_WAIT_MINUTES = 90;

/** Limits of a kitchen's settings, in feeds and commands. */
export const KITCHEN_LIMITS = { perQuarter: 10_000, maxWaitMinutes: 1440 } as const;

/** The orders and items that are to be cooked, by quarter. Quarters without any are absent. */
export type KitchenLoad = Readonly<Record<string, readonly [orders: number, items: number]>>;

/** The part of an order that is cooked in a quarter. An order larger than a quarter has several, in a row. */
export type CookedPart = { quarter: number; items: number };

/** When the kitchen starts the last part of an order placed now, and from when it accepts such orders. */
export type KitchenWait = { startS: number; acceptsFromS: number };

/** Applies a change of limits; 0 removes one. */
export function changedKitchen(
  kitchen: Kitchen | undefined,
  { orders = kitchen?.orders ?? null, items = kitchen?.items ?? null }: KitchenChange,
): Kitchen {
  return {
    orders: orders || null,
    items: items || null,
    maxWaitMinutes: kitchen?.maxWaitMinutes ?? DEFAULT_MAX_WAIT_MINUTES,
  };
}

/** The items of a cart, as a kitchen counts them. */
export const countItems = (lines: readonly { quantity: number }[]): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);

const quarterAt = (epochS: number): number => Math.floor(epochS / QUARTER_S);

/** Splits an order into full quarters and a rest. */
function partsOf({ items: limit }: Kitchen, items: number): number[] {
  if (limit === null || items <= limit) return [items];
  return Array.from({ length: Math.ceil(items / limit) }, (_, nth) => Math.min(limit, items - nth * limit));
}

function hasRoom({ orders, items }: Kitchen, load: KitchenLoad, part: CookedPart): boolean {
  const [heldOrders, heldItems] = load[part.quarter] ?? [0, 0];
  return (orders === null || heldOrders < orders) && (items === null || heldItems + part.items <= items);
}

/** Places the parts in consecutive quarters; undefined if one of those has no room. */
function partsFrom(kitchen: Kitchen, load: KitchenLoad, parts: readonly number[], first: number) {
  const cooked = parts.map((items, nth) => ({ quarter: first + nth, items }));
  return cooked.every((part) => hasRoom(kitchen, load, part)) ? cooked : undefined;
}

/** The items to cook, and when: before the slot of a scheduled order, otherwise as soon as possible. */
export type Cooking = { items: number; slotStartS: number | null };

/** Free kitchen capacity, and the load where it was found. */
export type Room = { load: KitchenLoad; parts: readonly CookedPart[] };

/**
 * Returns the quarters that an order takes, from the current one on: the last ones before its slot or, for an ASAP
 * order, the first with room within two days. A slot of the current quarter is cooked in it. Undefined without room.
 */
export function findRoom(
  kitchen: Kitchen,
  load: KitchenLoad,
  { items, slotStartS }: Cooking,
  nowS: number,
): CookedPart[] | undefined {
  const parts = partsOf(kitchen, items);
  const now = quarterAt(nowS);
  if (slotStartS !== null) {
    const first = Math.max(quarterAt(slotStartS), now + 1) - parts.length;
    return first < now ? undefined : partsFrom(kitchen, load, parts, first);
  }
  for (let first = now; first < now + MAX_QUARTERS; first += 1) {
    const cooked = partsFrom(kitchen, load, parts, first);
    if (cooked) return cooked;
  }
  return undefined;
}

/** The wait for the first free capacity for an ASAP order. */
export function waitFor(kitchen: Kitchen, load: KitchenLoad, items: number, now: Temporal.Instant): KitchenWait {
  const nowS = now.epochMilliseconds / 1000;
  return waitOf(kitchen, findRoom(kitchen, load, { items, slotStartS: null }, nowS), nowS);
}

export function waitOf(kitchen: Kitchen, room: readonly CookedPart[] | undefined, nowS: number): KitchenWait {
  const first = room?.[0]?.quarter ?? quarterAt(nowS) + MAX_QUARTERS;
  const last = room?.at(-1)?.quarter ?? first;
  return publishedWait(kitchen, first * QUARTER_S, last * QUARTER_S);
}

/** The wait of an order of one item, by the start of the first quarter with room. */
export function publishedWait(kitchen: Kitchen, roomFromS: number, startS = roomFromS): KitchenWait {
  return { startS, acceptsFromS: roomFromS - kitchen.maxWaitMinutes * MINUTE_S };
}

/** Whole minutes that a wait adds to the preparation. */
export const minutesOf = ({ startS }: KitchenWait, now: Temporal.Instant): number =>
  Math.max(0, Math.ceil((startS - now.epochMilliseconds / 1000) / MINUTE_S));

/** Past quarters that a load keeps: they are ahead again if the database's clock is set back, and must not be sold twice. */
const KEPT_QUARTERS = 16;

/** Adds an order's parts to a load, or removes them if `sign` is -1; drops quarters of over four hours ago. */
export function withParts(load: KitchenLoad, parts: readonly CookedPart[], sign: 1 | -1, nowS: number): KitchenLoad {
  const next = new Map(Object.entries(load).filter(([quarter]) => Number(quarter) >= quarterAt(nowS) - KEPT_QUARTERS));
  for (const { quarter, items } of parts) {
    const [heldOrders, heldItems] = next.get(String(quarter)) ?? [0, 0];
    const orders = heldOrders + sign;
    if (orders > 0) next.set(String(quarter), [orders, Math.max(0, heldItems + sign * items)]);
    else next.delete(String(quarter));
  }
  return Object.fromEntries(next);
}

/** Starts of slots, at whole minutes, whose quarter before has no room for an order of one item; in epoch seconds. */
export function* slotsWithoutRoom(kitchen: Kitchen | undefined, load: KitchenLoad = {}): Generator<number, void> {
  for (const quarter of kitchen ? fullQuarters(kitchen, load) : []) {
    const endS = (quarter + 1) * QUARTER_S;
    for (let startS = endS; startS < endS + QUARTER_S; startS += MINUTE_S) yield startS;
  }
}

const fullQuarters = (kitchen: Kitchen, load: KitchenLoad): number[] =>
  Object.keys(load)
    .map(Number)
    .filter((quarter) => !hasRoom(kitchen, load, { quarter, items: 1 }))
    .sort((a, b) => a - b);

/**
 * A kitchen in search: the start of the first quarter with room, or null if that is the current one. `changesAtS` is
 * when it changes by the passing of time.
 */
export function publishedRoom(
  kitchen: Kitchen,
  load: KitchenLoad,
  nowS: number,
): { roomFromS: number | null; changesAtS: number | null } {
  const now = quarterAt(nowS);
  const room = findRoom(kitchen, load, { items: 1, slotStartS: null }, nowS);
  const first = room?.[0]?.quarter ?? now + MAX_QUARTERS;
  const next = fullQuarters(kitchen, load).find((quarter) => quarter > first);
  return {
    roomFromS: first === now ? null : first * QUARTER_S,
    changesAtS: next === undefined ? null : next * QUARTER_S,
  };
}
