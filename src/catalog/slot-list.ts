import { type KeptJson, keepJson } from '../http/json-pieces.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { slotsOffered } from '../quotes/quote.ts';
import { localDay, type Slot } from '../quotes/slots.ts';
import type { Mode } from '../stores/mode.ts';
import type { Store } from '../stores/store.ts';
import { sealSlot } from './catalog-tokens.ts';

/** The windows of a store as JSON of the wire: written once, and valid until the first window is too near. */
export type SlotList = {
  slots: readonly Slot[];
  /** The array of `quote.time_estimate.scheduled`. */
  json: KeptJson;
  /** The inputs of the list: version of the store, full windows, local day; and the epoch seconds of its validity. */
  storeVersion: number;
  fullStarts: ReadonlySet<number>;
  day: number;
  fromS: number;
  untilS: number;
  /** The JSON of each window by its start: sealing a year of tokens takes tens of milliseconds. */
  texts: ReadonlyMap<number, string>;
};

export type SlotListQuestion = {
  store: Store;
  /** Grows with every change of the store's own fields. */
  storeVersion: number;
  mode: Mode;
  now: Temporal.Instant;
  fullStarts: ReadonlySet<number>;
  tokens: TokenSealer;
};

/** The list for this moment: the previous list where it is still valid, else a new list that reuses its parts. */
export function slotListAt(question: SlotListQuestion, previous: SlotList | undefined): SlotList {
  const { store, storeVersion, mode, now, fullStarts } = question;
  const nowS = now.epochMilliseconds / 1000;
  const day = localDay(store.timeZone, now);
  const ofSameVersion = previous?.storeVersion === storeVersion ? previous : undefined;
  const isValid =
    ofSameVersion && ofSameVersion.day === day && ofSameVersion.fromS <= nowS && nowS <= ofSameVersion.untilS;
  if (isValid && ofSameVersion.fullStarts === fullStarts) return ofSameVersion;

  const slots = slotsOffered(store, mode, now, fullStarts);
  const texts = textsOf(slots, question, ofSameVersion?.texts);
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
