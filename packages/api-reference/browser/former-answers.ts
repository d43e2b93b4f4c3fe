/** A placeholder such as `{order_id}` in an example, for an id that only a run has. */
const PLACEHOLDER = /\{([a-z_]+)\}/g;

/** Fills the placeholders of a text; one without a value stays as it is. */
export const fillPlaceholders = (text: string, valueFor: (name: string) => string | undefined): string =>
  text.replace(PLACEHOLDER, (placeholder, name: string) => valueFor(name) ?? placeholder);

/**
 * Finds a placeholder's id in a JSON answer: the first member of that name, otherwise the matching part of a URL, in
 * its path or query.
 */
export const findId = (answer: unknown, name: string, path = ''): string | undefined =>
  findMember(answer, name) ?? findInAddresses(answer, name, path);

function findMember(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own = (value as Readonly<Record<string, unknown>>)[name];
  if (typeof own === 'string' || typeof own === 'number') return String(own);
  return firstOf(Object.values(value), (member) => findMember(member, name));
}

function findInAddresses(value: unknown, name: string, path: string): string | undefined {
  const [before, after] = path.split(`{${name}}`);
  const starts = after === undefined || !before ? [`?${name}=`, `&${name}=`] : [before];
  return firstOf(collectTexts(value), (text) =>
    firstOf(starts, (start) => {
      const at = text.indexOf(start);
      return at < 0 ? undefined : /^[\w.~-]+/.exec(text.slice(at + start.length))?.[0];
    }),
  );
}

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : [];
}

function firstOf<Value, Found>(values: readonly Value[], find: (value: Value) => Found | undefined): Found | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
