import { lruOptions, memoized } from 'doorstep/collections';
import type { HoursEvaluator, OpenState } from 'doorstep/search-engine';
import { foldCuisine, NO_DELIVERY, NO_MINUTES, packDelivery, type StoreRow } from 'doorstep/search-engine';
import { splitWords } from 'doorstep/search-engine/text';
import { LRUCache } from 'lru-cache';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { acceptsFrom, waitOfStore } from '../../supply/pricing/quote.ts';
import {
  completeHours,
  HOURS_KINDS,
  type HoursKind,
  type MinuteRange,
  type StoreHours,
  type WeeklyHours,
  weeklyHours,
} from '../../supply/stores/hours.ts';
import { withLeastMinutes } from '../../supply/stores/learned-minutes.ts';
import { type Opening, pausedUntil } from '../../supply/stores/open-state.ts';
import { regionName } from '../../supply/stores/region.ts';
import { type Schedule, scheduleOf, weekLineOf } from '../../supply/stores/schedule.ts';
import type { DeliveryParty, DeliverySettings, Mode, PickupSettings, Store } from '../../supply/stores/store.ts';
import { presentHours, presentOpening, presentStore } from '../../supply/stores/store-element.ts';
import { shortestPreparation } from '../../supply/stores/time-estimate.ts';
import { preparationOf } from '../../supply/stores/zone-at-door.ts';

/** Returns a store as input of the search engine. */
export function engineRow(stored: Store): StoreRow {
  const store = withLeastMinutes(stored);
  // A single NaN would break the sort of a whole segment.
  if (!Number.isFinite(store.latitude) || !Number.isFinite(store.longitude)) throw new RangeError('No coordinate.');
  return {
    storeId: store.storeId,
    words: splitWords(store.name),
    latitude: store.latitude,
    longitude: store.longitude,
    places: placesOf(store.address),
    type: store.type,
    cuisines: [...new Set(store.cuisines.map(foldCuisine))].sort(),
    dollarSigns: store.dollarSigns,
    rating: store.rating?.value ?? null,
    pickupMinutes: minPrepMinutes(store.pickup),
    deliveryMinutes: deliveryMinutesOf(store.delivery),
    beginsAtS: store.roomFrom && epochSeconds(store.roomFrom),
    busy: store.busy && { minutes: store.busy.minutes, untilS: epochSeconds(store.busy.until) },
    isSeller: store.hasCatalog,
    hasOffer: store.offers !== undefined,
    sandboxAccounts: store.sandboxAccounts,
    delivery: deliveryOf(store),
    schedule: scheduleText(store, 'operational'),
    pickupOrders: ordersOf(store, 'pickup'),
    deliveryOrders: ordersOf(store, 'delivery'),
    acceptingDelivery: deliveryOf(store, ({ accepting }) => accepting),
    hasChannel: store.hasChannel,
    hasAgreement: store.hasAgreement,
    isOrderingOn: store.onlineOrdering,
    country: store.address.country,
    head: Buffer.from(documentHead(store)),
    tail: tailOf(store.hours),
  };
}

/** Lists city, state by code and name, and postal code: `77002` of `77002-1234`, `k1a 0b1` and its area `k1a`. */
function placesOf({ city, state, zipcode, country }: Store['address']): string[] {
  const [area = '', rest] = splitWords(zipcode);
  const postalCodes = country === 'CA' && rest !== undefined ? [area, `${area} ${rest}`, area + rest] : [area];
  const places = [city, state, regionName(state, country) ?? '', ...postalCodes].map((place) =>
    splitWords(place).join(' '),
  );
  return [...new Set(places)].filter((place) => place !== '');
}

/** Maximum cached byte strings of hours; a million stores have thousands of distinct ones. */
const MAX_TAILS = 5000;

/** Serializes the hours, which end a document. Cached, because many stores share them. */
const tailOfText = memoized((text) => {
  const given: StoreHours | WeeklyHours | null = JSON.parse(text);
  const hours = given !== null && 'operational' in given ? given : completeHours({ operational: given });
  return Buffer.from(`${innerJson(presentHours(hours))},`);
}, MAX_TAILS);

/** Caches by the week if all channels share it, as in most stores, because it is a shorter key. */
function tailOf(hours: StoreHours): Buffer {
  const { operational } = hours;
  const isOneWeek = HOURS_KINDS.every((channel) => hours[channel] === operational);
  return tailOfText(JSON.stringify(isOneWeek ? operational : hours));
}

/** Returns the JSON of a store element up to its hours, the part that differs between stores. */
const documentHead = (store: Store): string => `{${innerJson(presentStore(store))},`;

const innerJson = (value: object): string => JSON.stringify(value).slice(1, -1);

/** Returns the minimum minutes of preparation; null if the mode is not offered. */
function minPrepMinutes({ enabled, prepMinutes }: Pick<PickupSettings, 'enabled' | 'prepMinutes'>): number | null {
  return enabled ? Math.min(NO_MINUTES - 1, Math.max(0, Math.ceil(Math.min(...prepMinutes)))) : null;
}

function deliveryMinutesOf(delivery: DeliverySettings): number | null {
  return delivery.enabled ? minPrepMinutes({ enabled: true, prepMinutes: shortestPreparation(delivery) }) : null;
}

function deliveryOf({ delivery, latitude, longitude }: Store, counts: (party: DeliveryParty) => boolean = () => true) {
  if (!delivery.enabled) return NO_DELIVERY;
  const parties = delivery.parties.filter(counts).map((party) => ({
    isAccepting: party.accepting,
    zones: party.zones.map((zone) => {
      const prepMinutes = preparationOf(delivery, party, zone);
      return { reach: zone.reach, minutes: minPrepMinutes({ enabled: true, prepMinutes }) ?? 0 };
    }),
  }));
  return packDelivery({ latitude, longitude }, parties);
}

/**
 * A store's opening times as a short text: time zone, end of pause, and the week as one line, null if always open.
 * Exceptions also need the days of the week.
 */
type StoredSchedule = [
  zone: string,
  pausedUntilS: number | null,
  line: StoredRanges | null,
  dates?: { week: StoredRanges[] | null; dated: StoredDays[] },
];
/** Start and end of each range, alternating. */
type StoredRanges = number[];
type StoredDays = [fromDay: number, toDay: number, ranges: StoredRanges, always: 0 | 1];

const UNKNOWN_HOURS = '';
/** Placeholder for any known week: without dated hours only the line is read, and the days only mark it as known. */
const KNOWN_WEEK = weeklyHours(() => []);

/** Returns the hours when a mode takes orders; null if something other than the time prevents orders. */
function ordersOf(store: Store, mode: Mode): string | null {
  const { enabled, accepting } = store[mode];
  const isTaken = store.onlineOrdering && store.hasCatalog && enabled && accepting;
  const isBrought = mode === 'pickup' || store.delivery.parties.some((party) => party.accepting);
  if (!isTaken || !isBrought) return null;
  const wait = waitOfStore(store);
  return scheduleText(store, mode, wait ? instantOfEpochSeconds(acceptsFrom(store, mode, wait)) : null);
}

/**
 * Writes a store's hours as text, closed during a pause and until a moment. Unknown hours stay unknown during a pause.
 */
function scheduleText(store: Store, kind: HoursKind, closedUntil: Temporal.Instant | null = null): string {
  const week = store.hours[kind];
  const dated = store.hoursExceptions.length === 0 ? [] : scheduleOf(store, kind).dated;
  if (week === null && dated.length === 0) return UNKNOWN_HOURS;
  const line = weekLineOf(week);
  const until = [store.pausedUntil, closedUntil].flatMap((at) => (at === null ? [] : [epochSeconds(at)]));
  const stored: StoredSchedule = [
    store.timeZone,
    until.length === 0 ? null : Math.max(...until),
    line.always ? null : storeRanges(line.ranges),
  ];
  if (dated.length > 0) {
    stored.push({
      week: week === null ? null : week.map(storeRanges),
      dated: dated.map(({ fromDay, toDay, ranges, always }) => [fromDay, toDay, storeRanges(ranges), always ? 1 : 0]),
    });
  }
  return JSON.stringify(stored);
}

function storeRanges(ranges: readonly MinuteRange[]): StoredRanges {
  return ranges.flatMap(({ startMinute, endMinute }) => [startMinute, endMinute]);
}

function readRanges(stored: StoredRanges): MinuteRange[] {
  return Array.from({ length: stored.length / 2 }, (_, nth) => {
    return { startMinute: stored[2 * nth] as number, endMinute: stored[2 * nth + 1] as number };
  });
}

/** Prepares a schedule for queries of its state at an epoch second, and until when that state lasts. */
export type OpenAtOf = (schedule: Schedule, timeZone: string) => (epochS: number) => Opening;

/** Maximum shared states. Tens of thousands of schedules have a few hundred at a time. */
const MAX_STATES = 4096;

export function createHoursEvaluator(openAtOf: OpenAtOf): HoursEvaluator {
  const states = new LRUCache<string, SharedState>(lruOptions(MAX_STATES));
  return (text, epochS) => {
    const opening = openAtOfText(text, openAtOf)(epochS);
    const key = `${opening.because} ${opening.changesAtS} ${opening.untilS}`;
    const state = states.get(key) ?? new SharedState(opening);
    states.set(key, state);
    return state;
  };
}

/** An open state, rendered when a document first shows it. */
class SharedState implements OpenState {
  private readonly opening: Opening;
  private on: Buffer | undefined;
  private off: Buffer | undefined;

  constructor(opening: Opening) {
    this.opening = opening;
  }

  get open(): boolean {
    return this.opening.open;
  }

  get untilS(): number {
    return this.opening.untilS;
  }

  members(isOrderingOn: boolean): Buffer {
    if (isOrderingOn) {
      this.on ??= this.write(true);
      return this.on;
    }
    this.off ??= this.write(false);
    return this.off;
  }

  private write(isOrderingOn: boolean): Buffer {
    return Buffer.from(`${innerJson(presentOpening(this.opening, isOrderingOn))},"miles":`);
  }
}

function openAtOfText(text: string, openAtOf: OpenAtOf): (epochS: number) => Opening {
  if (text === UNKNOWN_HOURS) return openAtOf({ week: null, line: weekLineOf(null), dated: [] }, 'UTC');
  const [zone, pausedUntilS, stored, dates]: StoredSchedule = JSON.parse(text);
  const line = stored === null ? { always: true, ranges: [] } : { always: false, ranges: readRanges(stored) };
  const days = dates === undefined ? { week: KNOWN_WEEK, dated: [] } : readDates(dates);
  const openAt = openAtOf({ line, ...days }, zone);
  return pausedUntilS === null ? openAt : pausedUntil(pausedUntilS, openAt);
}

function readDates({ week, dated }: NonNullable<StoredSchedule[3]>): Pick<Schedule, 'week' | 'dated'> {
  return {
    week: week && weeklyHours((weekday) => readRanges(week[weekday] ?? [])),
    dated: dated.map(([fromDay, toDay, ranges, always]) => {
      return { fromDay, toDay, ranges: readRanges(ranges), always: always === 1 };
    }),
  };
}
