/** An object of parsed JSON; its keys may be any, so it is read by `memberOf` and its like. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = {};

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of an object; what it inherits is none. */
export function memberOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** An object within an object; an empty one where there is none. */
export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = memberOf(object, key);
  return isJsonObject(value) ? value : NOTHING;
}

/** A list within an object; an empty one where there is none. */
export function listIn(object: JsonObject, key: string): readonly unknown[] {
  const value = memberOf(object, key);
  return Array.isArray(value) ? value : [];
}
