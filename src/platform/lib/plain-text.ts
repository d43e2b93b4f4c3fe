/**
 * Control, direction and separator characters, line breaks and tabs included: they could end a header, ring a bell or
 * reverse the text after them.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** Returns untrusted text as one line, without control characters or repeated spaces. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim();
}

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

const CONTROL = /\p{Cc}/u;
const CONTROLS = /\p{Cc}/gu;

/**
 * Returns the text as the catalog stores it: no control characters, no surrounding white space (docs/feeds.md). An
 * unpaired surrogate, which PostgreSQL refuses, becomes the replacement character.
 */
export function cleanText(text: string): string {
  const plain = CONTROL.test(text) ? text.replace(CONTROLS, '') : text;
  return plain.toWellFormed().trim();
}
