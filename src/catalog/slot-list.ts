import { type JsonPiece, type KeptJson, keepJson } from '../http/json-pieces.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { availableAt } from '../quotes/available-at.ts';
import { type QuoteQuestion, quoteFor, slotQuestionOf } from '../quotes/quote.ts';
import { presentQuote } from '../quotes/quote-schema.ts';
import { localDay, type Slot, slotsAhead } from '../quotes/slots.ts';
import type { DeliveryFee, Mode, Store } from '../stores/store.ts';
import { sealSlot } from './catalog-tokens.ts';

/** The windows of a store as bytes, kept while they hold, and the quote members that show them. */

/** Windows of one list, the earliest of the offered: a year of hours, around the clock. Later windows follow as time passes. */
export const MAX_LISTED_SLOTS = 10_000;
/** Windows that are written between two places where the work may be interrupted. */
const SLOTS_OF_STEP = 50;

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

/** Whether the list is as it would be written now. */
export function isFresh(question: SlotListQuestion, list: SlotList | undefined): boolean {
  return isSame(question, list) && list?.feeJson === question.feeJson;
}

/** Whether a list has the windows of this moment, with any fee. */
function isSame({ store, storeVersion, now, fullStarts }: SlotListQuestion, list: SlotList | undefined): boolean {
  const nowS = now.epochMilliseconds / 1000;
  return (
    list?.storeVersion === storeVersion &&
    list.day === localDay(store.timeZone, now) &&
    list.fromS <= nowS &&
    nowS <= list.untilS &&
    list.fullStarts === fullStarts
  );
}

/**
 * The list for this moment: the previous list where it is still valid, else a new list that reuses its parts. The previous
 * list may show another fee.
 */
export function slotListAt(question: SlotListQuestion, previous: SlotList | undefined): SlotList {
  const steps = slotListSteps(question, previous);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same as `slotListAt`, in steps: a long list takes some hundred milliseconds. */
export function* slotListSteps(question: SlotListQuestion, previous: SlotList | undefined): Generator<void, SlotList> {
  if (previous && isFresh(question, previous)) return previous;
  const { store, storeVersion, mode, now, fullStarts, feeJson } = question;
  const same = isSame(question, previous) ? previous : undefined;
  const known = previous?.storeVersion === storeVersion ? previous.texts : undefined;
  const slots: Slot[] = [];
  const texts = new Map<number, string>();
  for (const slot of same?.slots ?? slotsAhead(slotQuestionOf(store, mode, now, fullStarts))) {
    slots.push(slot);
    texts.set(slot.startEpochS, known?.get(slot.startEpochS) ?? formatSlot(slot, question));
    if (slots.length === MAX_LISTED_SLOTS) break;
    if (slots.length % SLOTS_OF_STEP === 0) yield;
  }
  const nowS = now.epochMilliseconds / 1000;
  const firstS = slots[0]?.startEpochS ?? Infinity;
  return {
    slots,
    json: keepJson(`[${Array.from(texts.values(), (text) => `${text}${feeJson}}`).join()}]`),
    storeVersion,
    fullStarts,
    day: localDay(store.timeZone, now),
    fromS: same?.fromS ?? nowS,
    untilS: firstS - store.scheduling.leadMinutes * 60,
    feeJson,
    texts,
  };
}

/** The JSON of a window up to its fee. */
function formatSlot({ startEpochS, endEpochS }: Slot, { store, mode, tokens }: SlotListQuestion): string {
  const id = sealSlot(tokens, { storeId: store.storeId, mode, startEpochS, endEpochS });
  return `{"id":"${id}","minimum":${startEpochS},"maximum":${endEpochS},"delivery_fee":`;
}

/**
 * The members `quote` and, beside a quote that has only `error`, `quote_error` of an answer
 * (docs/behaviour.md#quote-errors). `slotsWith` gives the windows with the fee of the quote, or the store's own.
 */
export function quoteMembers(
  question: Omit<QuoteQuestion, 'slots'>,
  slotsWith: (fee?: DeliveryFee) => SlotList,
): JsonPiece[] {
  const { store } = question;
  const list = slotsWith();
  const quote = quoteFor({ ...question, slots: list.slots });
  if (!('error' in quote)) return ['"quote":', ...presentQuote(quote, store, slotsWith(quote.deliveryFee))];
  const error = { code: quote.error, available_at: availableAt(quote, { ...question, fullStarts: list.fullStarts }) };
  return ['"quote":', ...presentQuote(quote, store, list), `,"quote_error":${JSON.stringify(error)}`];
}
