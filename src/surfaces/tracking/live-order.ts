import { type Html, toMarkup } from 'doorstep/html';
import { isSettled } from '../../ordering/order/order-view.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { headlineOf } from './headline.ts';
import { mapOf, type TrackingMap } from './map-view.ts';
import { careSection, placesSection, receiptSection } from './order-sections.ts';
import { changesAtEpochS, driverSection, nowSection, stepsSection, whereSection } from './status-sections.ts';
import type { TrackedOrder, Visitor } from './tracked-order.ts';

/** Parts of the page that are updated live, by element id. */
export const LIVE_PARTS = ['now', 'where', 'driver', 'steps', 'places', 'care', 'receipt'] as const;
export type LivePart = (typeof LIVE_PARTS)[number];

/** The rendered parts of an order's page at a moment. */
export type RenderedOrderPage = {
  version: string;
  title: string;
  parts: Readonly<Record<LivePart, Html>>;
  map: TrackingMap | null;
  isPickup: boolean;
  isPlaced: boolean;
  isSettled: boolean;
  /** When the page changes without a step of the order. */
  changesAtEpochS: number | null;
};

/** Renders an order as of `now`. All its open pages with the same key and language share the result. */
export function renderOrderPage(
  tracked: TrackedOrder,
  visitor: Visitor,
  locale: Locale,
  now: Temporal.Instant,
): RenderedOrderPage {
  const { order, version } = tracked;
  return {
    version,
    title: headlineOf(order, locale, now).title,
    parts: {
      now: nowSection(tracked, visitor, locale, now),
      where: whereSection(order, locale),
      driver: driverSection(tracked, visitor, locale, now),
      steps: stepsSection(tracked, locale, now),
      places: placesSection(order, visitor, locale, now),
      care: careSection(tracked, visitor, locale, now),
      receipt: receiptSection(tracked, locale),
    },
    map: mapOf(order, locale) ?? null,
    isPickup: order.request.mode === 'pickup',
    isPlaced: order.status !== 'unplaced',
    isSettled: isSettled(order),
    changesAtEpochS: changesAtEpochS(order, now) ?? null,
  };
}

/**
 * A message of the stream: the changed parts of the page, by id. `ends` closes the stream for good. An unplaced order's
 * page has no parts, and reloads on `placed`. At `changesAtEpochS`, a page polls again.
 */
export type LiveMessage = {
  nowEpochS: number;
  changesAtEpochS: number | null;
  parts: Partial<Record<LivePart, string>>;
  map: TrackingMap | null;
  ends: boolean;
  placed: boolean;
};

/** Returns the difference to the parts that a page shows; all parts if these are unknown. */
export function liveMessage(
  order: RenderedOrderPage,
  before: RenderedOrderPage | undefined,
  now: Temporal.Instant,
): LiveMessage {
  const markup = LIVE_PARTS.map((part) => [part, toMarkup(order.parts[part])] as const);
  const changed = markup.filter(([part, text]) => !before || toMarkup(before.parts[part]) !== text);
  return {
    nowEpochS: epochSeconds(now),
    changesAtEpochS: order.changesAtEpochS,
    parts: order.isPlaced ? Object.fromEntries(changed) : {},
    map: order.map,
    ends: order.isSettled,
    placed: order.isPlaced,
  };
}
