import { type KeptJson, keepJson } from '../http/json-pieces.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { slotsOffered } from '../quotes/quote.ts';
import { localDay, type Slot } from '../quotes/slots.ts';
import type { DeliveryFee } from '../stores/fees.ts';
import type { Mode } from '../stores/mode.ts';
import type { Store } from '../stores/store.ts';
import { sealSlot } from './catalog-tokens.ts';

/** The windows of a store as JSON of the wire: written once for each fee, and valid until the first window is too near. */
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
  /** The JSON of the fee that each window shows. */
  feeJson: string;
  /** The JSON of each window up to its fee, by its start: sealing a year of tokens takes tens of milliseconds. */
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
  /** The JSON of the fee that each window shows, from `slotFeeJson`. */
  feeJson: string;
};

/** What delivery in a window costs, as JSON; null for a pickup. */
export function slotFeeJson(fee: DeliveryFee | null): string {
  return JSON.stringify({
    delivery_fee_flat: fee?.flatCents ?? 0,
    delivery_fee_percent: fee?.percent ?? 0,
    delivery_fee_taxable: fee?.taxable ?? false,
  });
}

/**
 * The list for this moment: the previous list where it is still valid, else a new list that reuses its parts. The previous
 * list may show another fee.
 */
export function slotListAt(question: SlotListQuestion, previous: SlotList | undefined): SlotList {
  const { store, storeVersion, mode, now, fullStarts, feeJson } = question;
  const nowS = now.epochMilliseconds / 1000;
  const day = localDay(store.timeZone, now);
  const ofSameVersion = previous?.storeVersion === storeVersion ? previous : undefined;
  const isValid =
    ofSameVersion && ofSameVersion.day === day && ofSameVersion.fromS <= nowS && nowS <= ofSameVersion.untilS;
  const isSame = isValid && ofSameVersion.fullStarts === fullStarts;
  if (isSame && ofSameVersion.feeJson === feeJson) return ofSameVersion;

  const slots = isSame ? ofSameVersion.slots : slotsOffered(store, mode, now, fullStarts);
  const texts = textsOf(slots, question, ofSameVersion?.texts);
  const firstS = slots[0]?.startEpochS ?? Infinity;
  return {
    slots,
    json: keepJson(`[${Array.from(texts.values(), (text) => `${text}${feeJson}}`).join()}]`),
    storeVersion,
    fullStarts,
    day,
    fromS: isSame ? ofSameVersion.fromS : nowS,
    untilS: firstS - store.scheduling.leadMinutes * 60,
    feeJson,
    texts,
  };
}

function textsOf(
  slots: readonly Slot[],
  { store, mode, tokens }: SlotListQuestion,
  known: ReadonlyMap<number, string> | undefined,
): Map<number, string> {
  const write = ({ startEpochS, endEpochS }: Slot) => {
    const id = sealSlot(tokens, { storeId: store.storeId, mode, startEpochS, endEpochS });
    return `{"id":"${id}","minimum":${startEpochS},"maximum":${endEpochS},"delivery_fee":`;
  };
  return new Map(slots.map((slot) => [slot.startEpochS, known?.get(slot.startEpochS) ?? write(slot)]));
}
