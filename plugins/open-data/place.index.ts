import { grown, TopK } from 'doorstep/collections';
import { isPlaceOpen, MAX_PLACES, type Place, type PlaceQuery } from 'doorstep/plugin';
import { chordOfMiles, METERS_PER_MILE, type UnitVector, unitVectorAt } from 'doorstep/search-engine/geography';
import { rewritesOf, splitWords } from 'doorstep/search-engine/text';
import { type PlaceMatch, PlaceTerms, placeWordsOf } from './place-terms.index.ts';

/** Fields that many places share; the index stores each distinct value once. */
type PlaceHours = Pick<Place, 'hours' | 'datedRules'>;
/** The best matches of a text, best first, and whether any place matches all words. */
type PlaceMatches = { ordinals: readonly number[]; isWhole: boolean };
/** Center and radius of a search, and its maximum number of matches. */
type Scope = { from: UnitVector | null; farthest: number; limit: number };

/** Number of best matches that are checked for open places. */
const MAX_OPEN_CHECKS = 2000;
/** Maximum words of a query; further ones are ignored to limit its cost. */
const MAX_QUERY_WORDS = 12;
/** Maximum rewrites that are tried if no place matches all words. */
const MAX_REWRITES = 6;
/** Number of steps for rounding qualities for comparison. */
const QUALITY_STEPS = 20;

/**
 * Places in memory, found by name, chain, address and kind. Each place is JSON outside of the JavaScript heap. The heap
 * has ids, words and shared hours: about 100 bytes per place.
 */
export class PlaceIndex {
  private readonly ordinalOf = new Map<string, number>();
  private readonly terms = new PlaceTerms();
  private readonly documents = new TextLog();
  private readonly hoursTexts: string[] = [];
  private readonly hoursNoOf = new Map<string, number>();
  private readonly top = new TopK((a, b) => a < b);
  private points = new Float64Array(3 * 1024);
  private hoursOf = new Uint32Array(1024);
  private closedForGood = new Uint8Array(1024);

  get size(): number {
    return this.ordinalOf.size;
  }

  /** Adds a place. Returns false if the index already has a place with this id, which stays. */
  add(place: Place): boolean {
    if (this.ordinalOf.has(place.placeId)) return false;
    const ordinal = this.size;
    this.ordinalOf.set(place.placeId, ordinal);
    this.makeRoom(ordinal + 1);
    const { hours, datedRules, ...rest } = place;
    this.hoursOf[ordinal] = this.hoursNo(JSON.stringify({ hours, datedRules }));
    this.documents.add(JSON.stringify(rest));
    this.closedForGood[ordinal] = place.status === 'CLOSED_PERMANENTLY' ? 1 : 0;
    const { x, y, z } = unitVectorAt(place.latitude, place.longitude);
    this.points.set([x, y, z], 3 * ordinal);
    this.terms.add(ordinal, placeWordsOf(place));
    return true;
  }

  find(placeId: string): Place | undefined {
    const ordinal = this.ordinalOf.get(placeId);
    return ordinal === undefined ? undefined : this.placeAt(ordinal);
  }

  /**
   * Finds up to `MAX_PLACES`: matches of all words first, then of most words. Without a full match, tries
   * `rewritesOf`. Ties go to matches of the name, then of other texts, then with typos; then to places within the
   * radius, by quality and distance. Permanently closed places are last.
   */
  search({ text, near, isOpenOnly, now }: PlaceQuery): Place[] {
    const words = [...new Set(splitWords(text))].slice(0, MAX_QUERY_WORDS);
    const ordinals = this.rankWithRewrites(words, {
      from: near && unitVectorAt(near.latitude, near.longitude),
      farthest: near ? chordOfMiles(near.radiusMeters / METERS_PER_MILE) : 0,
      limit: isOpenOnly ? MAX_OPEN_CHECKS : MAX_PLACES,
    });
    const places = ordinals.values().map((ordinal) => this.placeAt(ordinal));
    const kept = isOpenOnly ? places.filter((place) => isPlaceOpen(place, now)) : places;
    return [...kept.take(MAX_PLACES)];
  }

  private makeRoom(size: number): void {
    if (3 * size > this.points.length) this.points = grown(this.points, 3 * size);
    if (size > this.hoursOf.length) this.hoursOf = grown(this.hoursOf, size);
    if (size > this.closedForGood.length) this.closedForGood = grown(this.closedForGood, size);
  }

  private hoursNo(text: string): number {
    const known = this.hoursNoOf.get(text);
    if (known !== undefined) return known;
    const added = this.hoursTexts.push(text) - 1;
    this.hoursNoOf.set(text, added);
    return added;
  }

  private placeAt(ordinal: number): Place {
    const kept: PlaceHours = JSON.parse(this.hoursTexts[this.hoursOf[ordinal] as number] as string);
    const place: Omit<Place, keyof PlaceHours> = JSON.parse(this.documents.textAt(ordinal));
    return { ...place, ...kept };
  }

  private chordTo(ordinal: number, from: UnitVector): number {
    const dx = (this.points[3 * ordinal] as number) - from.x;
    const dy = (this.points[3 * ordinal + 1] as number) - from.y;
    const dz = (this.points[3 * ordinal + 2] as number) - from.z;
    return dx * dx + dy * dy + dz * dz;
  }

  /** Ranks by the words as typed. If no place matches all of them, ranks by the first rewrite with a full match. */
  private rankWithRewrites(words: readonly string[], scope: Scope): readonly number[] {
    const typed = this.rank(words, scope);
    if (typed.isWhole) return typed.ordinals;
    const rewrites = rewritesOf(words, (word) => this.terms.has(word), true).slice(0, MAX_REWRITES);
    const others = rewrites.values().map((rewrite) => this.rank(rewrite.words.slice(0, MAX_QUERY_WORDS), scope));
    return (others.find(({ isWhole }) => isWhole) ?? typed).ordinals;
  }

  /** Ranks the matches that have more than half of the words, or as many as the best match. */
  private rank(words: readonly string[], { from, farthest, limit }: Scope): PlaceMatches {
    const { top } = this;
    const enough = Math.floor(words.length / 2) + 1;
    let maxMatched = 0;
    top.reset(limit);
    this.terms.visit(words, (match) => {
      if (match.matched < Math.min(maxMatched, enough)) return;
      // Drops earlier matches, which have fewer words than are required from now on.
      if (match.matched > maxMatched && maxMatched < enough) top.reset(limit);
      maxMatched = Math.max(maxMatched, match.matched);
      const chordSquared = from ? this.chordTo(match.ordinal, from) : 0;
      const isClosed = this.closedForGood[match.ordinal] === 1;
      top.offer(rankKey(match, { isBeyond: chordSquared > farthest, isClosed }), chordSquared, match.ordinal);
    });
    return { ordinals: top.drain().map(({ ref }) => ref), isWhole: maxMatched === words.length };
  }
}

/** Bytes per slab; a longer text gets a slab of its own. */
const SLAB_BYTES = 4 * 2 ** 20;

/** Texts in order of arrival, outside of the JavaScript heap. */
class TextLog {
  private readonly slabs: Buffer[] = [];
  private free = 0;
  private count = 0;
  /** Slab, offset and length of each text. */
  private slabNos = new Uint32Array(1024);
  private starts = new Uint32Array(1024);
  private lengths = new Uint32Array(1024);

  add(text: string): void {
    const length = Buffer.byteLength(text);
    const nth = this.count;
    this.count += 1;
    if (nth === this.starts.length) {
      this.slabNos = grown(this.slabNos, this.count);
      this.starts = grown(this.starts, this.count);
      this.lengths = grown(this.lengths, this.count);
    }
    if (this.free < length) {
      this.free = Math.max(SLAB_BYTES, length);
      this.slabs.push(Buffer.allocUnsafeSlow(this.free));
    }
    const slab = this.slabs.at(-1) as Buffer;
    this.slabNos[nth] = this.slabs.length - 1;
    this.starts[nth] = slab.length - this.free;
    this.lengths[nth] = length;
    slab.write(text, slab.length - this.free, length);
    this.free -= length;
  }

  textAt(nth: number): string {
    const start = this.starts[nth] as number;
    const slab = this.slabs[this.slabNos[nth] as number] as Buffer;
    return slab.toString('utf8', start, start + (this.lengths[nth] as number));
  }
}

/** Returns a composite sort key: smaller is better; ties go by distance. */
function rankKey(match: PlaceMatch, { isBeyond, isClosed }: { isBeyond: boolean; isClosed: boolean }): number {
  let key = isClosed ? 1 : 0;
  key = key * (MAX_QUERY_WORDS + 1) + MAX_QUERY_WORDS - match.matched;
  key = key * KINDS + matchKind(match);
  key = key * 2 + (isBeyond ? 1 : 0);
  key = key * (QUALITY_STEPS + 1) + QUALITY_STEPS - Math.round(match.quality * QUALITY_STEPS);
  return key * 2 + (match.isWholeName ? 0 : 1);
}

/** Number of kinds of matches: named by the text, described by it, or matched with a typo. */
const KINDS = 3;

function matchKind({ inName, typos }: PlaceMatch): 0 | 1 | 2 {
  if (typos > 0) return 2;
  return inName > 0 ? 0 : 1;
}
