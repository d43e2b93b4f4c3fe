import type { Sandbox } from '../../accounts/account.ts';
import { grownUint32 } from '../../lib/columns/grow.ts';
import type { DeliveryReach, RadiusOnly } from './delivery-reach.index.ts';
import type { IndexedStore } from './indexed-store.ts';
import type { NameIndex } from './name.index.ts';
import type { OpenTimes } from './open-times.index.ts';
import type { SpatialIndex } from './spatial.index.ts';
import { type SharedValues, type StoreBlock, type StoreKind, storeOfBlock } from './store-block.ts';
import { deliveryMinutesOf, kindFlags, minutesOf } from './store-columns.index.ts';
import { DELIVERY, NO_DOLLAR_SIGNS, newTraits, PICKUP, type StoreColumns } from './store-columns.ts';
import type { StoreDocuments } from './store-documents.index.ts';

/** Takes in blocks of one snapshot: what a value means to the index is worked out once for all stores that share it. */
export type BlockLoader = {
  /** Takes in the stores of the block that are chosen. */
  load(block: StoreBlock, isChosen?: (nth: number) => boolean): void;
  /** Gives up the values of the snapshot. */
  close(): void;
};

export type LoadedParts = {
  columns: StoreColumns;
  spatial: SpatialIndex;
  deliveryReach: DeliveryReach;
  names: NameIndex;
  openTimes: OpenTimes;
  documents: StoreDocuments;
  /** Gives stores of these ids new ordinals that follow each other; returns the first. */
  appendStores(ids: Buffer, nths: Uint32Array): number;
  setSandboxes(ordinal: number, accounts: readonly NonNullable<Sandbox>[]): void;
};

/** Stores of a block: their numbers in the block, and their ordinals. */
type NewStores = { nths: Uint32Array; ordinals: Uint32Array };

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

  function addStores({ size, ids }: StoreBlock, isChosen: (nth: number) => boolean): NewStores {
    const nths = Uint32Array.from({ length: size }, (_, nth) => nth).filter(isChosen);
    const first = parts.appendStores(ids, nths);
    return { nths, ordinals: nths.map((_, at) => first + at) };
  }

  function placeTraits({ numbers, ratings }: StoreBlock, { nths, ordinals }: NewStores): void {
    const traits = newTraits(nths.length);
    for (let at = 0; at < nths.length; at += 1) {
      const nth = nths[at] as number;
      const kind = kindOf(numbers.kind[nth] as number);
      const pickup = pickupOf(numbers.pickup[nth] as number);
      const delivery = deliveryOf(numbers.delivery[nth] as number);
      const setOf = kind.isGrocery ? grocerySetOf : restaurantSetOf;
      traits.flags[at] = kind.flags | pickup.flags | delivery.flags;
      traits.dollarSigns[at] = kind.dollarSigns;
      traits.ratings[at] = ratings[nth] as number;
      traits.pickupMinutes[at] = pickup.minutes;
      traits.deliveryMinutes[at] = delivery.minutes;
      traits.cuisineSets[at] = setOf.of(numbers.cuisines[nth] as number);
      traits.cities[at] = cityOf.of(numbers.city[nth] as number);
    }
    columns.placeAll(ordinals, traits);
  }

  /** Where the stores are and deliver; the columns have their traits. */
  function placeRanges(block: StoreBlock, { nths, ordinals }: NewStores): void {
    const { numbers, latitudes, longitudes } = block;
    for (let at = 0; at < nths.length; at += 1) {
      const [nth, ordinal] = [nths[at] as number, ordinals[at] as number];
      const { only } = deliveryOf(numbers.delivery[nth] as number);
      const range = only?.range ?? deliveryReach.set(ordinal, storeOfBlock(block, nth));
      if (only !== null) deliveryReach.place(ordinal, only);
      spatial.insert(ordinal, latitudes[nth] as number, longitudes[nth] as number, range);
    }
  }

  function placeTimes({ numbers }: StoreBlock, { nths, ordinals }: NewStores): void {
    const schedules = scheduleOf.all(numbers.opening, nths);
    const isOrdering = nths.map((nth) => (kindOf(numbers.kind[nth] as number).onlineOrdering ? 1 : 0));
    openTimes.placeAll(ordinals, schedules, isOrdering);
  }

  function placeSandboxes({ numbers }: StoreBlock, { nths, ordinals }: NewStores): void {
    for (let at = 0; at < nths.length; at += 1) {
      const { sandboxAccounts } = kindOf(numbers.kind[nths[at] as number] as number);
      if (sandboxAccounts !== null) parts.setSandboxes(ordinals[at] as number, sandboxAccounts);
    }
  }

  function placeDocuments({ numbers, size, documents: heads, headBytes }: StoreBlock, stores: NewStores): void {
    const { hoursOf: hoursNumberOf } = shared();
    const hoursIds = stores.nths.map((nth) => hoursOf.of(hoursNumberOf(numbers.opening[nth] as number)));
    documents.placeAll({ ...stores, heads, headBytes, hoursIds, isWhole: stores.nths.length === size });
  }

  return {
    load(block, isChosen = () => true) {
      values = block.values;
      const stores = addStores(block, isChosen);
      placeTraits(block, stores);
      placeRanges(block, stores);
      nameLoad.placeAll(stores.ordinals, nameOf.all(block.numbers.name, stores.nths));
      placeTimes(block, stores);
      placeSandboxes(block, stores);
      placeDocuments(block, stores);
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
    /** The answers to some of the numbers. */
    all: (numbers: Uint32Array, nths: Uint32Array): Uint32Array => nths.map((nth) => of(numbers[nth] as number)),
    /** Visits the answers so far, and forgets them. */
    each(visit: (answer: number) => void): void {
      for (const answer of answers) if (answer !== 0) visit(answer);
      answers = new Uint32Array(0);
    },
  };
}
