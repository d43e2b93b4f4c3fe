/** A parsed JSON object with untrusted keys. Read it with `memberOf`, `objectIn` and `listIn`. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = {};

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an own field of an object; undefined for inherited members. */
export function memberOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns the member if it is an object, otherwise an empty object. */
export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = memberOf(object, key);
  return isJsonObject(value) ? value : NOTHING;
}

/** Returns the member if it is a list, otherwise an empty list. */
export function listIn(object: JsonObject, key: string): readonly unknown[] {
  const value = memberOf(object, key);
  return Array.isArray(value) ? value : [];
}

/** Returns the objects of a list. */
export function objectsIn(object: JsonObject, key: string): readonly JsonObject[] {
  return listIn(object, key).filter(isJsonObject);
}

/** Returns the partner's code if it is a single word. Other text could echo the request and is dropped. */
export function codeWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z_.]{1,64}$/.test(value) ? value : undefined;
}

export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses the objects of a JSON list; undefined for other text. */
export function parseJsonObjects(text: string): readonly JsonObject[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isJsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes JSON that is the same for any order of members; '' for undefined. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    isJsonObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  ) ?? '';
