import assert from 'node:assert/strict';

/**
 * Preloaded into each process of `npm test`. `Temporal` values have no properties, so Node.js's deep comparison
 * considers any two equal; here they are compared as text.
 */
for (const name of ['deepEqual', 'deepStrictEqual', 'notDeepEqual', 'notDeepStrictEqual'] as const) {
  const compare = assert[name] as (actual: unknown, expected: unknown, ...message: unknown[]) => void;
  assert[name] = ((actual: unknown, expected: unknown, ...message: unknown[]) =>
    compare(withTexts(actual), withTexts(expected), ...message)) as never;
}

/** The value itself if it contains no `Temporal` value; otherwise a copy with their texts. */
function withTexts(value: unknown, around: readonly object[] = []): unknown {
  if (typeof value !== 'object' || value === null || around.includes(value)) return value;
  const tag = String((value as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? '');
  if (tag.startsWith('Temporal.')) return `${tag} ${value}`;
  const textsOf = (parts: readonly unknown[]) => {
    const texts = parts.map((part) => withTexts(part, [...around, value]));
    return texts.some((text, nth) => !Object.is(text, parts[nth])) ? texts : undefined;
  };
  if (Array.isArray(value)) return textsOf(value) ?? value;
  if (value instanceof Set) return newOr(value, textsOf([...value]), (texts) => new Set(texts));
  if (value instanceof Map) return newOr(value, textsOf([...value]), (texts) => new Map(texts as [unknown, unknown][]));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const made = (texts: unknown[]) =>
    Object.assign(
      Object.create(prototype),
      Object.fromEntries(Object.keys(value).map((key, nth) => [key, texts[nth]])),
    );
  return newOr(value, textsOf(Object.values(value)), made);
}

function newOr(value: object, texts: unknown[] | undefined, make: (texts: unknown[]) => object): object {
  return texts ? make(texts) : value;
}
