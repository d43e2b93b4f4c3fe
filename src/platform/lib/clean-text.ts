const CONTROL = /\p{Cc}/u;
const CONTROLS = /\p{Cc}/gu;

/**
 * Text as the catalog stores it: no control characters, no surrounding white space (docs/feeds.md). An unpaired
 * surrogate, which PostgreSQL refuses, becomes the replacement character.
 */
export function cleanText(text: string): string {
  const plain = CONTROL.test(text) ? text.replace(CONTROLS, '') : text;
  return plain.toWellFormed().trim();
}
