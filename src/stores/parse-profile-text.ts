import { memoised } from '../lib/memo.ts';
import type { StoredProfile } from './store-tables.ts';

/** Values that are kept: a continent of stores has some ten thousand sets of hours. */
const MAX_KEPT = 50_000;
/** Longer values are parsed each time; a set of hours for each channel is a kilobyte. */
const MAX_KEPT_LENGTH = 4096;

/**
 * Members of a profile that stores share, in the sequence in which PostgreSQL writes them, shorter names first, then by
 * letters; and the member that follows each.
 */
const SHARED = [
  ['fees', 'name'],
  ['hours', 'phone'],
  ['pickup', 'rating'],
  ['cuisines', 'delivery'],
  ['delivery', 'latitude'],
  ['scheduling', 'description'],
] as const;
/** How each begins, and how the next member does. Only the first member of a text follows no comma. */
const MARKS = SHARED.map(([name, next], nth) => ({
  name,
  begin: nth === 0 ? `{"${name}": ` : `, "${name}": `,
  end: `, "${next}": `,
}));

/**
 * Parses profiles as PostgreSQL writes them (`jsonb` as text). Each distinct text of a shared member is parsed once, and
 * gives the same object again, so that no reader may change a profile. A text that is written in another way is parsed as a whole.
 */
export function createProfileParser(): (text: string) => StoredProfile {
  const parseKept = memoised((text): unknown => JSON.parse(text), MAX_KEPT);
  const parseShared = (text: string): unknown => (text.length > MAX_KEPT_LENGTH ? JSON.parse(text) : parseKept(text));

  function parseParts({ shared, others }: Parts): StoredProfile | null {
    const profile = JSON.parse(others) as Record<string, unknown>;
    for (const [nth, { name }] of MARKS.entries()) {
      if (name in profile) return null;
      profile[name] = parseShared(shared[nth] as string);
    }
    return profile as StoredProfile;
  }

  return (text) => {
    const parts = partsOf(text);
    try {
      const profile = parts === null ? null : parseParts(parts);
      if (profile !== null) return profile;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    return JSON.parse(text) as StoredProfile;
  };
}

/** The texts of the shared members, and the text of the object without these members. */
type Parts = { shared: string[]; others: string };

/**
 * Null where a mark is missing or out of sequence. A quote within a value is escaped, so that marks are names of members:
 * of the profile itself, or the parts are no JSON, or the member comes twice.
 */
function partsOf(text: string): Parts | null {
  const shared: string[] = [];
  let others = '{';
  let from = 0;
  for (const { begin, end } of MARKS) {
    const beginAt = text.indexOf(begin, from);
    const endAt = text.indexOf(end, from);
    if (beginAt === -1 || endAt < beginAt || (from === 0 && beginAt !== 0)) return null;
    others += text.slice(from, beginAt);
    shared.push(text.slice(beginAt + begin.length, endAt));
    // No comma follows the brace that the other members begin with.
    from = beginAt === 0 ? endAt + 2 : endAt;
  }
  return { shared, others: others + text.slice(from) };
}
