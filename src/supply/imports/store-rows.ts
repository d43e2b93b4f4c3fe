import { createHash, type Hash, hash } from 'node:crypto';
import { DEFAULT_LANGUAGE } from '../../platform/languages/language.ts';
import { categoryColumns, createViews, productColumns } from '../menus/menu-rows.ts';
import type { FeedCategory, PlacedProduct } from '../menus/parse-categories.ts';
import type { FeedPromotion } from '../promotions/feed-promotions.ts';
import { type DatedRules, exceptionsOfRules } from '../stores/hours-rules.ts';
import type { FeedSettings } from '../stores/store.ts';
import { storeIdOf } from '../stores/store-id.ts';
import type { StoredProfile } from '../stores/store-tables.ts';
import { completeProfile, type FeedProfile, type FeedStore } from './parse-store-line.ts';

/** Converts parsed stores to database rows, with hashes that let a later import recognize unchanged parts. */

/** A store's rows: JSON texts of the staging tables' columns (staging.db.ts). */
export type StoreRows = {
  storeId: string;
  /** A hexadecimal hash of all rows; equal for an unchanged store. */
  feedHash: string;
  /** The store's own row without its hash and profile. */
  row: string;
  profile: string;
  categories: string[];
  settings?: FeedSettings;
  promotions?: readonly FeedPromotion[];
};

/** Converts a parsed store into rows, product by product, for catalogs of any size. */
export type StoreRowBuilder = {
  storeId: string;
  /** Adds a product and returns its row; `seq`, its position in the feed, decides the numbers of new products. */
  productRow(placed: PlacedProduct, seq: number): string;
  /** Returns the rows of the store and its categories; call it after all products were added. */
  finish(categories: readonly FeedCategory[]): StoreRows;
};

/** Yearly dates of a store's hours become exceptions for the year of `now` and the next. */
export function createStoreRows(source: string, store: FeedStore, now: Temporal.Instant): StoreRowBuilder {
  const storeId = storeIdOf(source, store.externalId);
  const contents = createContents();
  const viewsOf = createViews();
  let hasProducts = false;
  let hasUpc = false;
  return {
    storeId,
    productRow(placed, seq) {
      hasProducts = true;
      hasUpc ||= placed.product.upcCode !== null;
      const row = productColumns(placed, viewsOf);
      contents.add(row);
      return `{"seq":${seq},"store_id":"${storeId}",${row.slice(1)}`;
    },
    finish(categories) {
      const topNames = categories.filter(({ parentId }) => parentId === null).map(({ name }) => name);
      const profile = withDatedHours(completeProfile(store, { hasProducts, topNames }), store.datedRules, now);
      const rows = categories.map(categoryColumns());
      for (const row of rows) contents.add(row);
      const text = JSON.stringify(storedProfile(profile));
      const feedHash = contents.finish(
        text +
          JSON.stringify([
            store.brand,
            store.origins,
            ...(store.settings ? [store.settings] : []),
            ...(store.promotions ?? []),
          ]),
      );
      const row = JSON.stringify({
        store_id: storeId,
        external_id: store.externalId,
        online_ordering: profile.onlineOrdering,
        accept_delivery: profile.delivery.accepting,
        accept_pickup: profile.pickup.accepting,
        language: profile.language ?? DEFAULT_LANGUAGE,
        supports_upc_codes: hasUpc,
        has_catalog: hasProducts,
        brand: store.brand,
        origins: store.origins,
      });
      return {
        storeId,
        feedHash,
        row,
        profile: text,
        categories: rows.map((row, seq) => `{"seq":${seq},"store_id":"${storeId}",${row.slice(1)}`),
        ...(store.settings && { settings: store.settings }),
        ...(store.promotions && { promotions: store.promotions }),
      };
    },
  };
}

/**
 * A store's own exceptions come after its rules' exceptions, because the later one for a date wins. A store that is
 * closed on a date is closed in every channel.
 */
function withDatedHours(profile: FeedProfile, rules: DatedRules | undefined, now: Temporal.Instant): FeedProfile {
  if (!rules) return profile;
  const dates = exceptionsOfRules(rules, now.toZonedDateTimeISO(profile.timeZone).year).map((date) =>
    date.channel === 'operational' && date.ranges.length === 0 ? { ...date, channel: null } : date,
  );
  return { ...profile, hoursExceptions: [...dates, ...profile.hoursExceptions] };
}

/** Hashes rows, one per line, and a last text. Most stores have no rows, so that only the text is hashed. */
function createContents() {
  let rows: Hash | undefined;
  return {
    add(row: string): void {
      rows ??= createHash('sha256');
      rows.update(row).update('\n');
    },
    finish: (text: string) => rows?.update(text).digest('hex') ?? hash('sha256', text),
  };
}

/** Drops the kinds of hours that equal the store's, because hours are half of a profile. */
export function storedProfile({ hours, hoursExceptions, ...profile }: FeedProfile): StoredProfile {
  const { operational, ...channels } = hours;
  const ofStore = JSON.stringify(operational);
  const own = Object.entries(channels).filter(([, week]) => JSON.stringify(week) !== ofStore);
  const exceptions = hoursExceptions.length === 0 ? {} : { hoursExceptions };
  return { ...profile, hours: { ...Object.fromEntries(own), operational }, ...exceptions };
}
