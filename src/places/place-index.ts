import type { Place } from '../imports/open-data/place.ts';
import { createByteStore } from '../lib/columns/byte-store.ts';
import { grownFloat64, grownUint8, grownUint32 } from '../lib/columns/grow.ts';
import { createInterner } from '../lib/columns/interner.ts';
import { createShardedMap } from '../lib/columns/sharded-map.ts';
import { createTopList } from '../lib/columns/top-list.ts';
import { chordOfMiles, METRES_PER_MILE, type UnitVector, unitVectorAt } from '../lib/geo/sphere.ts';
import { wordsOf } from '../lib/text/normalise-text.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import { otherReadings } from '../stores/search/other-readings.ts';
import { isPlaceOpen } from './is-place-open.ts';
import { MOST_PLACES, type PlaceQuery } from './place-directory.ts';
import { placeWordsOf } from './place-words.ts';
import { createWordMatches, type WordMatch } from './word-matches.ts';

/**
 * Places in memory, found by name, chain, address and kind. Only numbers are objects of JavaScript: what is told of a
 * place lies outside of its heap as JSON, hours once for all places that share them.
 */
export type PlaceIndex = {
  /** False where there is a place of that id already, which stays. */
  add(place: Place): boolean;
  find(placeId: string): Place | undefined;
  /**
   * At most `MOST_PLACES`. All words of the text should match; places with most of them follow. A text that no place
   * matches whole is also read with other spaces and spellings (`otherReadings`). Among equally many words come first
   * the ones that the text names, then the ones that it only describes (street, town, cuisine), then those with a typo.
   * Equally good matches go by whether they lie within the radius, then by how much of them is said, then by distance.
   * What is closed for good comes last.
   */
  search(query: PlaceQuery): Place[];
  readonly size: number;
};

/** The best matches of a text, best first, and whether some place has all of its words. */
type Found = { ordinals: readonly number[]; isWhole: boolean };
/** Where a search is made, and how many matches it wants. */
type Wish = { from: UnitVector | null; farthest: number; most: number };

/** Open places are looked for among so many of the best matches. */
const MOST_LOOKED_AT = 2000;
/** Words of a query past this many are not looked for, so that a long one costs no more. */
const MOST_QUERY_WORDS = 12;
/** Other ways to read a text that are tried where no place has all of its words. */
const MOST_READINGS = 6;
/** Steps of quality that count as different. */
const QUALITY_STEPS = 20;

export function createPlaceIndex(): PlaceIndex {
  const ordinalOf = createShardedMap();
  const matches = createWordMatches();
  const documents = createByteStore();
  const hours = createInterner();
  const hoursTexts = createByteStore();
  const top = createTopList((a, b) => a < b);
  let size = 0;
  let points = new Float64Array(3 * 1024);
  let hoursOf = new Uint32Array(1024);
  let closedForGood = new Uint8Array(1024);

  function add(place: Place): boolean {
    if (ordinalOf.get(place.placeId) !== undefined) return false;
    const ordinal = size;
    size += 1;
    ordinalOf.set(place.placeId, ordinal);
    if (3 * size > points.length) points = grownFloat64(points, 3 * size);
    if (size > hoursOf.length) hoursOf = grownUint32(hoursOf, size);
    if (size > closedForGood.length) closedForGood = grownUint8(closedForGood, size);
    const { hours: week, ...rest } = place;
    const { id, isNew } = hours.acquire(JSON.stringify(week));
    if (isNew) hoursTexts.set(id, JSON.stringify(week));
    hoursOf[ordinal] = id;
    documents.set(ordinal, JSON.stringify(rest));
    closedForGood[ordinal] = place.status === 'CLOSED_PERMANENTLY' ? 1 : 0;
    const { x, y, z } = unitVectorAt(place.latitude, place.longitude);
    points.set([x, y, z], 3 * ordinal);
    matches.add(ordinal, placeWordsOf(place));
    return true;
  }

  function placeAt(ordinal: number): Place {
    const week = JSON.parse(hoursTexts.toText(hoursOf[ordinal] as number)) as WeeklyHours | null;
    return { ...(JSON.parse(documents.toText(ordinal)) as Omit<Place, 'hours'>), hours: week };
  }

  function chordTo(ordinal: number, from: UnitVector): number {
    const dx = (points[3 * ordinal] as number) - from.x;
    const dy = (points[3 * ordinal + 1] as number) - from.y;
    const dz = (points[3 * ordinal + 2] as number) - from.z;
    return dx * dx + dy * dy + dz * dz;
  }

  /** Only matches with so many words count that they have more than half of them, or as many as any place has. */
  function rank(words: readonly string[], { from, farthest, most }: Wish): Found {
    const enough = Math.floor(words.length / 2) + 1;
    let mostMatched = 0;
    top.reset(most);
    matches.visit(words, (match) => {
      if (match.matched < Math.min(mostMatched, enough)) return;
      // What has been offered before has fewer words than count now.
      if (match.matched > mostMatched && mostMatched < enough) top.reset(most);
      mostMatched = Math.max(mostMatched, match.matched);
      const chordSquared = from ? chordTo(match.ordinal, from) : 0;
      const isClosed = closedForGood[match.ordinal] === 1;
      top.offer(keyOf(match, { isBeyond: chordSquared > farthest, isClosed }), chordSquared, match.ordinal);
    });
    return { ordinals: top.drain().map(({ ordinal }) => ordinal), isWhole: mostMatched === words.length };
  }

  /** As it was typed, or, where no place has all of its words, the first other reading that some place has all of. */
  function rankAnyReading(words: readonly string[], wish: Wish): readonly number[] {
    const typed = rank(words, wish);
    if (typed.isWhole) return typed.ordinals;
    const readings = otherReadings(words, matches.knows, true).slice(0, MOST_READINGS);
    const others = readings.values().map((reading) => rank(reading.words.slice(0, MOST_QUERY_WORDS), wish));
    return (others.find(({ isWhole }) => isWhole) ?? typed).ordinals;
  }

  return {
    add,
    find(placeId) {
      const ordinal = ordinalOf.get(placeId);
      return ordinal === undefined ? undefined : placeAt(ordinal);
    },
    search({ text, near, isOpenOnly, now }) {
      const words = [...new Set(wordsOf(text))].slice(0, MOST_QUERY_WORDS);
      const ordinals = rankAnyReading(words, {
        from: near && unitVectorAt(near.latitude, near.longitude),
        farthest: near ? chordOfMiles(near.radiusMetres / METRES_PER_MILE) : 0,
        most: isOpenOnly ? MOST_LOOKED_AT : MOST_PLACES,
      });
      if (!isOpenOnly) return ordinals.map(placeAt);
      const open = ordinals
        .values()
        .map(placeAt)
        .filter((place) => isPlaceOpen(place, now));
      return [...open.take(MOST_PLACES)];
    },
    get size() {
      return size;
    },
  };
}

/** Smallest first, most telling digit first; what is left equal goes by distance. */
function keyOf(match: WordMatch, { isBeyond, isClosed }: { isBeyond: boolean; isClosed: boolean }): number {
  let key = isClosed ? 1 : 0;
  key = key * (MOST_QUERY_WORDS + 1) + MOST_QUERY_WORDS - match.matched;
  key = key * KINDS + kindOf(match);
  key = key * 2 + (isBeyond ? 1 : 0);
  key = key * (QUALITY_STEPS + 1) + QUALITY_STEPS - Math.round(match.quality * QUALITY_STEPS);
  return key * 2 + (match.isWholeName ? 0 : 1);
}

/** Named by the text, described by it, or with a typo. */
const KINDS = 3;

function kindOf({ inName, typos }: WordMatch): 0 | 1 | 2 {
  if (typos > 0) return 2;
  return inName > 0 ? 0 : 1;
}
