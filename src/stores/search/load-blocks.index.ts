import type { Sandbox } from '../../accounts/account.ts';
import { grownUint32 } from '../../lib/columns/grow.ts';
import type { TableMemory } from '../../lib/columns/hash-table.ts';
import { ID_BYTES } from '../../lib/columns/id-table.ts';
import { type DeliveryReach, NO_RADIUS, type RadiusOnly } from './delivery-reach.index.ts';
import type { IndexedStore } from './indexed-store.ts';
import type { NameIndex } from './name.index.ts';
import type { OpenTimes } from './open-times.index.ts';
import type { SpatialIndex } from './spatial.index.ts';
import { NO_REACH } from './spatial-tree.ts';
import { SHARED, type SharedValues, type StoreBlock, type StoreKind, storeOfBlock } from './store-block.ts';
import { deliveryMinutesOf, kindFlags } from './store-columns.index.ts';
import { DELIVERY, minutesOf, NO_DOLLAR_SIGNS, newTraits, PICKUP, type StoreColumns } from './store-columns.ts';
import type { PlacedDocuments, StoreDocuments } from './store-documents.index.ts';

/** Takes in blocks of one snapshot: what a value means to the index is worked out once for all stores that share it. */
export type BlockLoader = {
  /** Takes in the stores of the block that are chosen. */
  load(block: StoreBlock, isChosen?: (nth: number) => boolean): void;
  /**
   * Takes what another thread has made of the same blocks, all stores of which were loaded into a new index; anything else
   * is made here.
   */
  adopt(tables: LoadedTables): void;
  /** Gives up the values of the snapshot. */
  close(): void;
};

/** Null for what is made here. */
export type LoadedTables = { ids: TableMemory | null };

export type LoadedParts = {
  columns: StoreColumns;
  spatial: SpatialIndex;
  deliveryReach: DeliveryReach;
  names: NameIndex;
  openTimes: OpenTimes;
  documents: StoreDocuments;
  /** Gives stores of these ids new ordinals that follow each other; returns the first. */
  appendStores(ids: Buffer): number;
  adoptIds(table: TableMemory): void;
  setSandboxes(ordinal: number, accounts: readonly NonNullable<Sandbox>[]): void;
};

/** The stores of a block that are taken in, without their documents. */
type Placed = Omit<StoreBlock, 'documents' | 'headBytes'>;

type Offer = { flags: number; minutes: number };
type Kind = Pick<StoreKind, 'onlineOrdering' | 'sandboxAccounts'> & {
  flags: number;
  dollarSigns: number;
  isGrocery: boolean;
};

export function createBlockLoader(parts: LoadedParts): BlockLoader {
  const { columns, spatial, deliveryReach, names, openTimes, documents } = parts;
  let values: SharedValues | undefined;
  /** Scratch: the words of a name. */
  let termIds = new Uint32Array(64);
  const shared = (): SharedValues => values as SharedValues;

  const nameLoad = names.load();
  const termOf = numbersOnce((word) => nameLoad.acquireWord(shared().words[word] as string));
  const nameOf = numbersOnce((name) => {
    const { data, from, end } = shared().wordsOfName(name);
    if (end - from > termIds.length) termIds = new Uint32Array(end - from);
    for (let at = from; at < end; at += 1) termIds[at - from] = termOf.of(data[at] as number);
    return nameLoad.acquire({ data: termIds, from: 0, end: end - from });
  });
  const cityOf = numbersOnce((city) => columns.acquireCity(shared().city[city] as string));
  const restaurantSetOf = numbersOnce((set) => columns.acquireSet('restaurant', shared().cuisines[set] ?? []));
  const grocerySetOf = numbersOnce((set) => columns.acquireSet('grocery', shared().cuisines[set] ?? []));
  const hoursOf = numbersOnce((hours) => documents.acquire(shared().writtenHours(hours)));
  const scheduleOf = numbersOnce((opening) => {
    const { openingOf } = shared();
    return openTimes.acquire(() => openingOf(opening));
  });
  const pickupOf = onceEach((number): Offer => {
    const offer = shared().pickup[number] as IndexedStore['pickup'];
    return { flags: offer.enabled ? PICKUP : 0, minutes: minutesOf(offer) };
  });
  const deliveryOf = onceEach((number): Offer & { only: RadiusOnly | null } => {
    const offer = shared().delivery[number] as IndexedStore['delivery'];
    const only = deliveryReach.radiusOf(offer);
    return { flags: offer.enabled ? DELIVERY : 0, minutes: deliveryMinutesOf(offer), only };
  });
  const kindOf = onceEach((number): Kind => {
    const kind = shared().kind[number] as StoreKind;
    const { onlineOrdering, sandboxAccounts } = kind;
    const [dollarSigns, isGrocery] = [kind.dollarSigns ?? NO_DOLLAR_SIGNS, kind.type === 'grocery'];
    return { flags: kindFlags(kind), dollarSigns, isGrocery, onlineOrdering, sandboxAccounts };
  });

  function placeTraits(first: number, { numbers, ratings, size }: Placed): void {
    const traits = { ...newTraits(size), ratings };
    for (let at = 0; at < size; at += 1) {
      const kind = kindOf(numbers.kind[at] as number);
      const pickup = pickupOf(numbers.pickup[at] as number);
      const delivery = deliveryOf(numbers.delivery[at] as number);
      const setOf = kind.isGrocery ? grocerySetOf : restaurantSetOf;
      traits.flags[at] = kind.flags | pickup.flags | delivery.flags;
      traits.dollarSigns[at] = kind.dollarSigns;
      traits.pickupMinutes[at] = pickup.minutes;
      traits.deliveryMinutes[at] = delivery.minutes;
      traits.cuisineSets[at] = setOf.of(numbers.cuisines[at] as number);
      traits.cities[at] = cityOf.of(numbers.city[at] as number);
    }
    columns.placeAll(first, traits);
  }

  /** Where the stores are and deliver; the columns have their traits. */
  function placeRanges(first: number, stores: Placed): void {
    const { numbers, latitudes, longitudes, size } = stores;
    const [radii, ranges] = [new Float64Array(size), new Float32Array(size * 2)];
    for (let at = 0; at < size; at += 1) {
      const { only } = deliveryOf(numbers.delivery[at] as number);
      radii[at] = only?.radius ?? NO_RADIUS;
      ranges[at * 2] = only?.range.core ?? 0;
      ranges[at * 2 + 1] = only?.range.reach ?? NO_REACH;
    }
    deliveryReach.placeAll(first, radii);
    for (let at = 0; at < size; at += 1) {
      if (deliveryOf(numbers.delivery[at] as number).only !== null) continue;
      const { core, reach } = deliveryReach.set(first + at, storeOfBlock(stores, at));
      ranges[at * 2] = core;
      ranges[at * 2 + 1] = reach;
    }
    spatial.insertAll(first, { latitudes, longitudes, ranges });
  }

  function placeTimes(first: number, { numbers, size }: Placed): void {
    const isOrderingOff = new Uint8Array(size);
    for (let at = 0; at < size; at += 1) isOrderingOff[at] = kindOf(numbers.kind[at] as number).onlineOrdering ? 0 : 1;
    openTimes.placeAll(first, scheduleOf.all(numbers.opening), isOrderingOff);
  }

  function placeSandboxes(first: number, { numbers, size }: Placed): void {
    for (let at = 0; at < size; at += 1) {
      const { sandboxAccounts } = kindOf(numbers.kind[at] as number);
      if (sandboxAccounts !== null) parts.setSandboxes(first + at, sandboxAccounts);
    }
  }

  function placeDocuments(
    first: number,
    { numbers, size }: Placed,
    heads: Pick<PlacedDocuments, 'heads' | 'headBytes' | 'nths'>,
  ): void {
    const { hoursOf: hoursNumberOf } = shared();
    const hoursIds = new Uint32Array(size);
    for (let at = 0; at < size; at += 1) hoursIds[at] = hoursOf.of(hoursNumberOf(numbers.opening[at] as number));
    documents.placeAll(first, { ...heads, hoursIds });
  }

  return {
    load(block, isChosen) {
      values = block.values;
      const nths = isChosen === undefined ? null : chosenOf(block, isChosen);
      const stores = nths === null ? block : gathered(block, nths);
      if (stores.size === 0) return;
      const first = parts.appendStores(stores.ids);
      placeTraits(first, stores);
      placeRanges(first, stores);
      nameLoad.placeAll(first, nameOf.all(stores.numbers.name));
      placeTimes(first, stores);
      placeSandboxes(first, stores);
      placeDocuments(first, stores, { heads: block.documents, headBytes: block.headBytes, nths });
    },
    adopt({ ids }) {
      if (ids !== null) parts.adoptIds(ids);
    },
    close() {
      nameOf.each(nameLoad.release);
      termOf.each(nameLoad.releaseWord);
      cityOf.each(columns.releaseCity);
      restaurantSetOf.each(columns.releaseSet);
      grocerySetOf.each(columns.releaseSet);
      scheduleOf.each(openTimes.release);
      hoursOf.each(documents.release);
      values = undefined;
    },
  };
}

/** The numbers of the stores of a block that are chosen. */
function chosenOf({ size }: StoreBlock, isChosen: (nth: number) => boolean): Uint32Array {
  const nths: number[] = [];
  for (let nth = 0; nth < size; nth += 1) if (isChosen(nth)) nths.push(nth);
  return Uint32Array.from(nths);
}

/** Some stores of a block, side by side. */
function gathered({ ids, latitudes, longitudes, ratings, numbers, values }: StoreBlock, nths: Uint32Array): Placed {
  const pick = (column: Float64Array): Float64Array => Float64Array.from(nths, (nth) => column[nth] as number);
  const own = SHARED.map((property) => [property, nths.map((nth) => numbers[property][nth] as number)]);
  return {
    size: nths.length,
    values,
    ids: Buffer.concat(Array.from(nths, (nth) => ids.subarray(nth * ID_BYTES, (nth + 1) * ID_BYTES))),
    latitudes: pick(latitudes),
    longitudes: pick(longitudes),
    ratings: pick(ratings),
    numbers: Object.fromEntries(own) as Placed['numbers'],
  };
}

/** A function of small numbers that works out each answer once. */
function onceEach<Answer>(answerTo: (number: number) => Answer): (number: number) => Answer {
  const answers: (Answer | undefined)[] = [];
  return (number) => {
    const answer = answers[number] ?? answerTo(number);
    answers[number] = answer;
    return answer;
  };
}

/** The same where an answer is a number above 0. */
function numbersOnce(answerTo: (number: number) => number) {
  let answers = new Uint32Array(1024);

  function of(number: number): number {
    const known = answers[number] ?? 0;
    if (known !== 0) return known;
    if (number >= answers.length) answers = grownUint32(answers, number + 1);
    const answer = answerTo(number);
    answers[number] = answer;
    return answer;
  }

  return {
    of,
    all(numbers: Uint32Array): Uint32Array {
      const all = new Uint32Array(numbers.length);
      for (let at = 0; at < numbers.length; at += 1) all[at] = of(numbers[at] as number);
      return all;
    },
    /** Visits the answers so far, and forgets them. */
    each(visit: (answer: number) => void): void {
      for (const answer of answers) if (answer !== 0) visit(answer);
      answers = new Uint32Array(0);
    },
  };
}
