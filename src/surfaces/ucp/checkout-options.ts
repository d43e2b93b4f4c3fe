import { timeZoneOfDoor } from '../../ordering/order/order-times.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { deliveryFeeCents } from '../../supply/pricing/price-order.ts';
import { type Quote, type QuoteFailure, type QuoteQuestion, quoteFor } from '../../supply/pricing/quote.ts';
import type { Slot } from '../../supply/pricing/slots.ts';

/**
 * When a cart can be fulfilled: as soon as possible, or in one of the slots nearest the requested time. An option is
 * chosen by its ID, else by the time; a time that no slot has is a fault, and the options are what to ask for instead.
 */

const ASAP = 'asap';
const MAX_SLOTS = 6;

/** What a quote for the door depends on, and when the order should be fulfilled. */
type Question = Omit<QuoteQuestion, 'preference' | 'servedAt'> & {
  subtotalCents: number;
  /** The door's region; '' without a door. */
  state: string;
  /** Undefined for as soon as possible. */
  requestedAt: Temporal.Instant | undefined;
  /** The chosen option: its slot; undefined for one that is no slot of the store; null where none is chosen. */
  selected: Slot | undefined | null;
  words: { asap: string };
  sealSlot(slot: Slot): string;
};

type FulfillmentOption = {
  id: string;
  title: string;
  earliest_fulfillment_time: string;
  latest_fulfillment_time: string;
  totals: { type: string; amount: number }[];
};

/** The chosen option, what else can be chosen, and whether the requested time can be had. */
export type Options = { options: FulfillmentOption[]; selectedId: string | null; isPossible: boolean };

export function optionsOf(question: Question): Options {
  const { slots, now, requestedAt, selected } = question;
  const quote = quoteFor({ ...question, preference: 'first_available' });
  const show = (id: string, from: Temporal.Instant, to: Temporal.Instant) => showOption(question, quote, id, from, to);
  const isLater = requestedAt !== undefined || selected !== null;
  if (!isLater && !('error' in quote) && quote.asapAvailable) {
    const { minMinutes, maxMinutes } = quote.estimate;
    const option = show(ASAP, now.add({ minutes: minMinutes }), now.add({ minutes: maxMinutes }));
    return { options: [option], selectedId: ASAP, isPossible: true };
  }
  const at = selected?.startEpochS ?? epochSeconds(requestedAt ?? now);
  const nearest = slots.toSorted((a, b) => distance(a, at) - distance(b, at)).slice(0, MAX_SLOTS);
  const shown = nearest.toSorted((a, b) => a.startEpochS - b.startEpochS);
  const isChosen = ({ startEpochS, endEpochS }: Slot) =>
    selected ? startEpochS === selected.startEpochS : startEpochS <= at && at < endEpochS;
  const chosen = isLater && selected !== undefined ? shown.find(isChosen) : undefined;
  return {
    options: shown.map((slot) =>
      show(question.sealSlot(slot), instantOfEpochSeconds(slot.startEpochS), instantOfEpochSeconds(slot.endEpochS)),
    ),
    selectedId: chosen ? question.sealSlot(chosen) : null,
    isPossible: !isLater || chosen !== undefined,
  };
}

/** Seconds between a moment and a slot; 0 within it. */
const distance = ({ startEpochS, endEpochS }: Slot, at: number) => Math.max(startEpochS - at, at - endEpochS + 1, 0);

function showOption(
  { store, door, state, subtotalCents, words }: Question,
  quote: Quote | QuoteFailure,
  id: string,
  from: Temporal.Instant,
  to: Temporal.Instant,
): FulfillmentOption {
  const timeZone = timeZoneOfDoor({ timeZone: store.timeZone, country: store.address.country }, door, state);
  const clock = (at: Temporal.Instant) =>
    at.toZonedDateTimeISO(timeZone).toString({ timeZoneName: 'never', smallestUnit: 'second' });
  const fee = 'error' in quote ? 0 : deliveryFeeCents(quote.deliveryFee, null, subtotalCents);
  return {
    id,
    title: id === ASAP ? words.asap : `${clock(from).slice(0, 16).replace('T', ' ')}–${clock(to).slice(11, 16)}`,
    earliest_fulfillment_time: clock(from),
    latest_fulfillment_time: clock(to),
    totals: [{ type: 'total', amount: fee }],
  };
}

/** Whether an option stands for as soon as possible. */
export const isAsap = (optionId: string | undefined): boolean => optionId === undefined || optionId === ASAP;

/** The chosen slot; null for as soon as possible. */
export const slotIdOf = (optionId: string | null | undefined): string | null =>
  optionId === ASAP ? null : (optionId ?? null);
