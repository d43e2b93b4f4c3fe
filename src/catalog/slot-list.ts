import { type KeptJson, keepJson } from '../http/json-pieces.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { slotsOffered } from '../quotes/quote.ts';
import { localDay, type Slot } from '../quotes/slots.ts';
import type { Mode } from '../stores/mode.ts';
import type { Store } from '../stores/store.ts';
import { sealSlot } from './catalog-tokens.ts';

/** The windows a store offers, as they go over the wire: made once, and right until the first of them is too near. */
export type SlotList = {
  slots: readonly Slot[];
  /** The array of `quote.time_estimate.scheduled`. */
  json: KeptJson;
  /** Made for this version of the store, with these windows full, on this local day, and good for these epoch seconds. */
  storeVersion: number;
  fullStarts: ReadonlySet<number>;
  day: number;
  fromS: number;
  untilS: number;
  /** The JSON of each window by its start: sealing a year of tokens anew takes tens of milliseconds. */
  texts: ReadonlyMap<number, string>;
};

export type SlotListQuestion = {
  store: Store;
  /** Grows whenever the store's own facts change. */
  storeVersion: number;
  mode: Mode;
  now: Temporal.Instant;
  fullStarts: ReadonlySet<number>;
  tokens: TokenSealer;
};

/** The list for this moment: the previous one where it still holds, else a new one that reuses its parts. */
export function slotListAt(question: SlotListQuestion, previous: SlotList | undefined): SlotList {
  const { store, storeVersion, mode, now, fullStarts } = question;
  const nowS = now.epochMilliseconds / 1000;
  const day = localDay(store.timeZone, now);
  const sameStore = previous?.storeVersion === storeVersion ? previous : undefined;
  const holds = sameStore && sameStore.day === day && sameStore.fromS <= nowS && nowS <= sameStore.untilS;
  if (holds && sameStore.fullStarts === fullStarts) return sameStore;

  const slots = slotsOffered(store, mode, now, fullStarts);
  const texts = textsOf(slots, question, sameStore?.texts);
  const firstS = slots[0]?.startEpochS ?? Infinity;
  return {
    slots,
    json: keepJson(`[${[...texts.values()].join()}]`),
    storeVersion,
    fullStarts,
    day,
    fromS: nowS,
    untilS: firstS - store.scheduling.leadMinutes * 60,
    texts,
  };
}

function textsOf(
  slots: readonly Slot[],
  { store, mode, tokens }: SlotListQuestion,
  known: ReadonlyMap<number, string> | undefined,
): Map<number, string> {
  const { flatCents, percent, taxable } = store.fees.deliveryFee;
  const fee =
    mode === 'delivery'
      ? { delivery_fee_flat: flatCents, delivery_fee_percent: percent, delivery_fee_taxable: taxable }
      : { delivery_fee_flat: 0, delivery_fee_percent: 0, delivery_fee_taxable: false };
  const feeJson = JSON.stringify(fee);
  const write = ({ startEpochS, endEpochS }: Slot) => {
    const id = sealSlot(tokens, { storeId: store.storeId, mode, startEpochS, endEpochS });
    return `{"id":"${id}","minimum":${startEpochS},"maximum":${endEpochS},"delivery_fee":${feeJson}}`;
  };
  return new Map(slots.map((slot) => [slot.startEpochS, known?.get(slot.startEpochS) ?? write(slot)]));
}
