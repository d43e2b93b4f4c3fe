/** Parsed JSON object with untrusted keys: read it with `memberOf`, `objectIn` and `listIn`. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = {};

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member of an object; undefined for inherited members. */
export function memberOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A member's object; empty for any other value. */
export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = memberOf(object, key);
  return isJsonObject(value) ? value : NOTHING;
}

/** A member's list; empty for any other value. */
export function listIn(object: JsonObject, key: string): readonly unknown[] {
  const value = memberOf(object, key);
  return Array.isArray(value) ? value : [];
}

/** A partner's one-word code; undefined for any other text, which could echo the request. */
export function codeWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z_.]{1,64}$/.test(value) ? value : undefined;
}

/** The object of a JSON text; undefined for invalid JSON and other values. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
