/**
 * A control, direction or separator character, line breaks and tabs included: it could end a header, ring a bell or
 * reverse the text after it.
 */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const ALL_UNPRINTABLE = new RegExp(UNPRINTABLE, 'gu');

/** Returns untrusted text as one line, without control characters or repeated spaces. */
export const oneLine = (text: string): string => text.replace(ALL_UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim();

/** Returns the text cut to `max` characters, ending in `...` if cut. */
export function shorten(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max
    ? text
    : `${characters
        .slice(0, Math.max(max - 3, 0))
        .join('')
        .trimEnd()}...`;
}

/** Direction marks stay, because they are part of names in Hebrew and Arabic. */
const CONTROL = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;
const CONTROLS = new RegExp(CONTROL, 'gu');

/**
 * Returns the text as the catalog stores it: no control characters, nothing that reverses the text around it, no
 * surrounding white space (docs/feeds.md). An unpaired surrogate, which PostgreSQL refuses, becomes the replacement
 * character.
 */
export function cleanText(text: string): string {
  const plain = CONTROL.test(text) ? text.replace(CONTROLS, '') : text;
  return plain.toWellFormed().trim();
}
