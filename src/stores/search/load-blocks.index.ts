import type { Sandbox } from '../../accounts/account.ts';
import type { DeliveryReach, RadiusOnly } from './delivery-reach.index.ts';
import type { NameIndex } from './name.index.ts';
import type { OpenTimes } from './open-times.index.ts';
import type { SpatialIndex } from './spatial.index.ts';
import {
  headAt,
  type SharedValues,
  type StoreBlock,
  type StoreKind,
  type StoreOpening,
  storeOfBlock,
} from './store-block.ts';
import { deliveryMinutesOf, kindFlags, minutesOf } from './store-columns.index.ts';
import { DELIVERY, NO_DOLLAR_SIGNS, PICKUP, type StoreColumns } from './store-columns.ts';
import { NO_ORDINAL, type StoreDocuments } from './store-documents.index.ts';

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
  /** The ordinal of a store that the index does not have; null for a store that it has. */
  addStore(storeId: string): number | null;
  /** Takes in a store that the index has. */
  replace(store: ReturnType<typeof storeOfBlock>, head: Uint8Array): void;
  setSandboxes(ordinal: number, accounts: readonly NonNullable<Sandbox>[]): void;
};

type Offer = { flags: number; minutes: number };
type Kind = Pick<StoreKind, 'onlineOrdering' | 'sandboxAccounts'> & {
  flags: number;
  dollarSigns: number;
  isGrocery: boolean;
};

export function createBlockLoader(parts: LoadedParts): BlockLoader {
  const { columns, spatial, deliveryReach, names, openTimes, documents } = parts;
  let values: StoreBlock['values'] | undefined;
  let words: StoreBlock['words'] = [];
  const sharedValue = <Property extends keyof SharedValues>(
    property: Property,
    number: number,
  ): SharedValues[Property] => values?.[property][number] as SharedValues[Property];

  const termOf = onceEach((number) => names.acquireWord(words[number] as string));
  const nameOf = onceEach((number) => {
    const numbers = sharedValue('name', number);
    const own = numbers.map((word) => words[word] as string);
    return names.acquire(own, numbers.map(termOf));
  });
  const cityOf = onceEach((number) => columns.acquireCity(sharedValue('city', number)));
  const ratingOf = onceEach((number) => sharedValue('rating', number)?.value ?? Number.NaN);
  const restaurantSetOf = onceEach((number) => columns.acquireSet('restaurant', sharedValue('cuisines', number)));
  const grocerySetOf = onceEach((number) => columns.acquireSet('grocery', sharedValue('cuisines', number)));
  const pickupOf = onceEach((number): Offer => {
    const offer = sharedValue('pickup', number);
    return { flags: offer.enabled ? PICKUP : 0, minutes: minutesOf(offer) };
  });
  const deliveryOf = onceEach((number): Offer & { only: RadiusOnly | null } => {
    const offer = sharedValue('delivery', number);
    const only = deliveryReach.radiusOf(offer);
    return { flags: offer.enabled ? DELIVERY : 0, minutes: deliveryMinutesOf(offer), only };
  });
  const kindOf = onceEach((number): Kind => {
    const kind = sharedValue('kind', number);
    const { onlineOrdering, sandboxAccounts } = kind;
    const [dollarSigns, isGrocery] = [kind.dollarSigns ?? NO_DOLLAR_SIGNS, kind.type === 'grocery'];
    return { flags: kindFlags(kind), dollarSigns, isGrocery, onlineOrdering, sandboxAccounts };
  });
  const scheduleOf = onceEach((number) => openTimes.acquire(sharedValue('opening', number)));
  const hoursOf = onceEach((number) => hoursIdOf(sharedValue('opening', number)));
  /** Openings in different zones have the same hours. */
  const hoursIds = new Map<StoreOpening['hours'], number>();

  function hoursIdOf({ hours, tail }: StoreOpening): number {
    const known = hoursIds.get(hours);
    if (known !== undefined) return known;
    const id = documents.acquire(hours, tail);
    hoursIds.set(hours, id);
    return id;
  }

  /** Places all but the document of a store; returns the number of the store's hours. */
  function place(block: StoreBlock, nth: number, ordinal: number): number {
    const { numbers } = block;
    const kind = kindOf(numbers.kind[nth] as number);
    const pickup = pickupOf(numbers.pickup[nth] as number);
    const delivery = deliveryOf(numbers.delivery[nth] as number);
    const opening = numbers.opening[nth] as number;
    columns.place(ordinal, {
      city: cityOf(numbers.city[nth] as number),
      cuisineSet: (kind.isGrocery ? grocerySetOf : restaurantSetOf)(numbers.cuisines[nth] as number),
      flags: kind.flags | pickup.flags | delivery.flags,
      dollarSigns: kind.dollarSigns,
      rating: ratingOf(numbers.rating[nth] as number),
      pickupMinutes: pickup.minutes,
      deliveryMinutes: delivery.minutes,
    });
    if (delivery.only !== null) deliveryReach.place(ordinal, delivery.only);
    const range = delivery.only?.range ?? deliveryReach.set(ordinal, storeOfBlock(block, nth));
    spatial.insert(ordinal, block.latitudes[nth] as number, block.longitudes[nth] as number, range);
    if (kind.sandboxAccounts !== null) parts.setSandboxes(ordinal, kind.sandboxAccounts);
    names.place(ordinal, nameOf(numbers.name[nth] as number));
    openTimes.place(ordinal, scheduleOf(opening), kind.onlineOrdering);
    return hoursOf(opening);
  }

  /** One after the other, so that the processor waits for the slots of many ids at a time. */
  function addStores(block: StoreBlock, isChosen: (nth: number) => boolean) {
    const ordinals = new Uint32Array(block.size).fill(NO_ORDINAL);
    const replaced: number[] = [];
    for (let nth = 0; nth < block.size; nth += 1) {
      if (!isChosen(nth)) continue;
      const ordinal = parts.addStore(block.storeIdAt(nth));
      if (ordinal === null) replaced.push(nth);
      else ordinals[nth] = ordinal;
    }
    return { ordinals, replaced };
  }

  return {
    load(block, isChosen = () => true) {
      ({ values, words } = block);
      const { ordinals, replaced } = addStores(block, isChosen);
      const hoursIds = new Uint32Array(block.size);
      for (let nth = 0; nth < block.size; nth += 1) {
        if (ordinals[nth] !== NO_ORDINAL) hoursIds[nth] = place(block, nth, ordinals[nth] as number);
      }
      const { documents: heads, headBytes } = block;
      documents.place({ heads, headBytes, ordinals, hoursIds, isWhole: !ordinals.includes(NO_ORDINAL) });
      for (const nth of replaced) parts.replace(storeOfBlock(block, nth), headAt(block, nth));
    },
    close() {
      nameOf.each(names.release);
      termOf.each(names.releaseWord);
      cityOf.each(columns.releaseCity);
      restaurantSetOf.each(columns.releaseSet);
      grocerySetOf.each(columns.releaseSet);
      scheduleOf.each(openTimes.release);
      for (const id of hoursIds.values()) documents.release(id);
      hoursIds.clear();
      [values, words] = [undefined, []];
    },
  };
}

/** A function of small numbers that works out each answer once. */
function onceEach<Answer>(answerTo: (number: number) => Answer) {
  const answers: (Answer | undefined)[] = [];
  const of = (number: number): Answer => {
    const known = answers[number];
    if (known !== undefined) return known;
    const answer = answerTo(number);
    answers[number] = answer;
    return answer;
  };
  /** Visits the answers so far, and forgets them. */
  const each = (visit: (answer: Answer) => void): void => {
    for (const answer of answers.splice(0)) if (answer !== undefined) visit(answer);
  };
  return Object.assign(of, { each });
}
