import { parseOsmHours } from '../../stores/osm-hours.ts';
import type { StoreOrigin } from '../../stores/store-origin.ts';
import {
  asObject,
  type FeedObject,
  faultAt,
  given,
  type LineFault,
  type LineReport,
  type ReadOsmHours,
  readText,
  requireText,
} from './feed-fields.ts';
import { FEED_LIMITS } from './feed-limits.ts';
import { type FeedCatalogue, readCatalogue } from './parse-categories.ts';
import { type FeedProfile, readProfile } from './parse-profile.ts';

/** A store line, parsed. */
export type FeedStore = {
  externalId: string;
  profile: FeedProfile;
  /** Fields that the line itself has; the catalogue decides absent fields (`completeProfile`). */
  says: { cuisines: boolean; pickup: boolean };
  catalogue: FeedCatalogue;
  /** The file beside the feed that holds the catalogue instead. */
  categoriesFile: string | null;
  /** The chain of the store, where an open directory names it. */
  brand: string | null;
  /** The records of open directories that its facts come from; null for a store of a feed of its own. */
  origins: readonly StoreOrigin[] | null;
};

/** A faulty line keeps its id, if it has one, so that its store does not count as missing from the feed. */
export type ParsedStoreLine =
  | { ok: true; store: FeedStore; warnings: readonly LineFault[] }
  | { ok: false; externalId: string | null; faults: readonly LineFault[]; warnings: readonly LineFault[] };

/**
 * Reads the JSON value of a store line by the rules of docs/feeds.md; all faults of the line are reported at once. A
 * caller with many lines passes a memoized `readOsmHours` (osm-memo.ts).
 */
export function parseStoreLine(value: unknown, readOsmHours: ReadOsmHours = parseOsmHours): ParsedStoreLine {
  const report: LineReport = { faults: [], warnings: [] };
  const from = asObject(value, null, { report, readOsmHours });
  if (!from) return { ok: false, externalId: null, ...report };
  const externalId = requireText(from, 'external_id', FEED_LIMITS.idCharacters);
  const profile = readProfile(from);
  const catalogue = readCatalogue(from);
  const categoriesFile = readCategoriesFile(from, catalogue);
  if (report.faults.length > 0) return { ok: false, externalId: externalId || null, ...report };
  const says = { cuisines: given(from, 'cuisines') !== undefined, pickup: given(from, 'pickup') !== undefined };
  const store = { externalId, profile, says, catalogue, categoriesFile, brand: null, origins: null };
  return { ok: true, store, warnings: report.warnings };
}

function readCategoriesFile(from: FeedObject, catalogue: FeedCatalogue): string | null {
  const name = readText(from, 'categories_file', FEED_LIMITS.nameCharacters);
  if (!name) return null;
  if (catalogue.categories.length > 0)
    faultAt(from, 'categories_file', 'expected instead of categories, not beside them');
  return name;
}

/**
 * Completes a profile from the catalogue where the line is silent: a store with products offers pickup, and the cuisines
 * of a grocery are the names of its product categories.
 */
export function completeProfile(
  { profile, says }: Pick<FeedStore, 'profile' | 'says'>,
  catalogue: { hasProducts: boolean; topNames: readonly string[] },
): FeedProfile {
  const cuisines = says.cuisines || profile.type !== 'grocery' ? profile.cuisines : catalogue.topNames;
  const enabled = says.pickup ? profile.pickup.enabled : catalogue.hasProducts;
  return {
    ...profile,
    cuisines: cuisines.slice(0, FEED_LIMITS.cuisines),
    pickup: { ...profile.pickup, enabled },
  };
}
