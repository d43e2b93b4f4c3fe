import { memoized } from 'doorstep/collections';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';

/**
 * A time zone's wall clock on plain numbers, because `Temporal` is too slow for millions of calls. Wall times are UTC
 * epoch seconds. Correct if offset changes are over two days apart, as in the US and Canada.
 */
export type ZoneClock = {
  /** Returns the seconds east of UTC at an instant. */
  offsetAt(epochS: number): number;
  /**
   * Returns the first instant, in epoch seconds, when the clock shows this wall time or later: the clock change for
   * a skipped time, the first pass for a repeated one.
   */
  epochOfWall(wallS: number): number;
  /** Returns the intervals of constant offset that cover [fromS, toS), in order; the first and last may be cut. */
  segments(fromS: number, toS: number): ZoneSegment[];
};
export type ZoneSegment = { startS: number; endS: number; offsetS: number };

const DAY_S = 86_400;
const BLOCK_S = 1461 * DAY_S;
const MAX_BLOCKS = 64;
const MAX_CLOCKS = 1000;

/** Returns the clock of an IANA zone. Throws RangeError for an unknown name. */
export const zoneClock = memoized(buildClock, MAX_CLOCKS);

function buildClock(timeZone: string): ZoneClock {
  const blocks = new Map<number, ZoneSegment[]>();
  const blockOf = (index: number): ZoneSegment[] => {
    const known = blocks.get(index);
    if (known !== undefined) return known;
    if (blocks.size >= MAX_BLOCKS) blocks.clear();
    const block = readBlock(timeZone, index);
    blocks.set(index, block);
    return block;
  };
  let last: ZoneSegment = { startS: 0, endS: 0, offsetS: 0 };
  const segmentAt = (epochS: number): ZoneSegment => {
    if (epochS >= last.startS && epochS < last.endS) return last;
    const block = blockOf(Math.floor(epochS / BLOCK_S));
    last = block.findLast((segment) => segment.startS <= epochS) ?? last;
    return last;
  };
  const segments = (fromS: number, toS: number): ZoneSegment[] => {
    const found: ZoneSegment[] = [];
    for (let at = fromS; at < toS; ) {
      const { offsetS, endS } = segmentAt(at);
      const end = Math.min(endS, toS);
      const previous = found.at(-1);
      if (previous?.offsetS === offsetS) previous.endS = end;
      else found.push({ startS: at, endS: end, offsetS });
      at = end;
    }
    return found;
  };
  const offsetAt = (epochS: number): number => segmentAt(epochS).offsetS;
  const epochOfWall = (wallS: number): number => {
    const before = offsetAt(wallS - DAY_S);
    const after = offsetAt(wallS + DAY_S);
    if (before === after) return wallS - before;
    const changeS = segments(wallS - DAY_S, wallS + DAY_S)[0]?.endS ?? wallS - after;
    return wallS < changeS + before ? wallS - before : Math.max(changeS, wallS - after);
  };
  blockOf(0);
  return { offsetAt, epochOfWall, segments };
}

/** Reads the segments of one four-year block, cut at its ends. */
function readBlock(timeZone: string, index: number): ZoneSegment[] {
  const endS = (index + 1) * BLOCK_S;
  const segments: ZoneSegment[] = [];
  let moment: Temporal.ZonedDateTime | null = instantOfEpochSeconds(index * BLOCK_S).toZonedDateTimeISO(timeZone);
  while (moment !== null && moment.epochMilliseconds < endS * 1000) {
    const startS = epochSeconds(moment);
    const next: Temporal.ZonedDateTime | null = moment.getTimeZoneTransition('next');
    const nextS = next === null ? endS : epochSeconds(next);
    segments.push({ startS, endS: Math.min(nextS, endS), offsetS: moment.offsetNanoseconds / 1e9 });
    moment = next;
  }
  return segments;
}
