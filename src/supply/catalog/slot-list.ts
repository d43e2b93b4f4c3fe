import { type JsonPiece, type KeptJson, keepJson } from '../../platform/http/json-pieces.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { availableAt } from '../pricing/available-at.ts';
import { type QuoteQuestion, quoteFor, slotQuestionOf } from '../pricing/quote.ts';
import { presentQuote } from '../pricing/quote-schema.ts';
import { iterateOfferedSlots, localDay, type Slot } from '../pricing/slots.ts';
import type { DeliveryFee, Mode, Store } from '../stores/store.ts';
import { sealSlot } from './catalog-tokens.ts';

/** A store's slots as bytes, cached while valid, and the members of a quote that show them. */

/** Maximum slots per list: a year of round-the-clock hours. Later slots appear as time passes. */
export const MAX_SLOTS_PER_LIST = 10_000;
/** Slots that are written between two yields. */
const SLOTS_PER_YIELD = 50;
/** Bytes per slot in the cache's accounting: its text, and its JSON with a few fees. */
const SLOT_BYTES = 1500;
/** Maximum fees per list with cached JSON: for the store, its parties and their zones. */
const MAX_FEES = 4;

export type SlotListQuestion = {
  store: Store;
  /** Version of the store's own fields. */
  storeVersion: number;
  mode: Mode;
  now: Temporal.Instant;
  fullStarts: ReadonlySet<number>;
  tokens: TokenSealer;
};

/** A store's slots in one mode. Valid until the first slot is too near to be ordered. */
export class SlotList {
  readonly slots: readonly Slot[];
  readonly fullStarts: ReadonlySet<number>;
  private readonly storeVersion: number;
  private readonly day: number;
  private readonly fromS: number;
  private readonly untilS: number;
  /**
   * The JSON of each slot up to its fee, by start. Cached, because sealing a year of tokens takes tens of milliseconds.
   */
  private readonly texts: ReadonlyMap<number, string>;
  private readonly jsonByFee = new Map<string, KeptJson>();

  constructor(question: SlotListQuestion, slots: readonly Slot[], texts: ReadonlyMap<number, string>) {
    const { store, storeVersion, now, fullStarts } = question;
    this.slots = slots;
    this.texts = texts;
    this.fullStarts = fullStarts;
    this.storeVersion = storeVersion;
    this.day = localDay(store.timeZone, now);
    this.fromS = now.epochMilliseconds / 1000;
    this.untilS = (slots[0]?.startEpochS ?? Infinity) - store.scheduling.leadMinutes * 60;
  }

  /** Writes a list in steps, because a long one takes a few hundred milliseconds. Reuses the previous list's texts. */
  static *write(question: SlotListQuestion, previous: SlotList | undefined): Generator<void, SlotList> {
    const { store, storeVersion, mode, now, fullStarts } = question;
    const known = previous?.storeVersion === storeVersion ? previous.texts : undefined;
    const slots: Slot[] = [];
    const texts = new Map<number, string>();
    for (const slot of iterateOfferedSlots(slotQuestionOf(store, mode, now, fullStarts))) {
      slots.push(slot);
      texts.set(slot.startEpochS, known?.get(slot.startEpochS) ?? formatSlot(slot, question));
      if (slots.length === MAX_SLOTS_PER_LIST) break;
      if (slots.length % SLOTS_PER_YIELD === 0) yield;
    }
    return new SlotList(question, slots, texts);
  }

  /** Whether writing the list again now would give the same result. */
  isFresh({ store, storeVersion, now, fullStarts }: SlotListQuestion): boolean {
    const nowS = now.epochMilliseconds / 1000;
    return (
      this.storeVersion === storeVersion &&
      this.day === localDay(store.timeZone, now) &&
      this.fromS <= nowS &&
      nowS <= this.untilS &&
      this.fullStarts === fullStarts
    );
  }

  get bytes(): number {
    return this.slots.length * SLOT_BYTES + 256;
  }

  /** The array of `quote.time_estimate.scheduled` with this fee on every slot. */
  jsonWith({ flatCents, percent, taxable }: DeliveryFee): KeptJson {
    const fee = JSON.stringify({
      delivery_fee_flat: flatCents,
      delivery_fee_percent: percent,
      delivery_fee_taxable: taxable,
    });
    const known = this.jsonByFee.get(fee);
    if (known) return known;
    const json = keepJson(`[${Array.from(this.texts.values(), (text) => `${text}${fee}}`).join()}]`);
    if (this.jsonByFee.size >= MAX_FEES) this.jsonByFee.clear();
    this.jsonByFee.set(fee, json);
    return json;
  }
}

/** The JSON of a slot up to its fee. */
function formatSlot({ startEpochS, endEpochS }: Slot, { store, mode, tokens }: SlotListQuestion): string {
  const id = sealSlot(tokens, { storeId: store.storeId, mode, startEpochS, endEpochS });
  return `{"id":"${id}","minimum":${startEpochS},"maximum":${endEpochS},"delivery_fee":`;
}

/** The members `quote` and, for a quote error, `quote_error` (docs/quotes.md#quote-errors). */
export function quoteMembers(question: Omit<QuoteQuestion, 'slots'>, list: SlotList): JsonPiece[] {
  const quote = quoteFor({ ...question, slots: list.slots });
  const members = ['"quote":', ...presentQuote(quote, question.store, list)];
  if (!('error' in quote)) return members;
  const error = { code: quote.error, available_at: availableAt(quote, { ...question, fullStarts: list.fullStarts }) };
  return [...members, `,"quote_error":${JSON.stringify(error)}`];
}
