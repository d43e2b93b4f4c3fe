const CONTROL = /\p{Cc}/u;
const CONTROLS = /\p{Cc}/gu;

/**
 * Text as the catalog keeps it: without control characters and without white space around it (docs/feeds.md). Half of
 * a surrogate pair, which PostgreSQL refuses, becomes the replacement character.
 */
export function cleanText(text: string): string {
  const plain = CONTROL.test(text) ? text.replace(CONTROLS, '') : text;
  return plain.toWellFormed().trim();
}
