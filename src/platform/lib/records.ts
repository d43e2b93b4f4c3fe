/** A record of the value that `get` gives for each name. */
export function mapNames<Name extends string, Value>(
  names: readonly Name[],
  get: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name): [string, Value] => [name, get(name)])) as Record<Name, Value>;
}

/** A record of one member of each of the named rows. */
export function mapMember<Rows, Name extends keyof Rows & string, Key extends keyof Rows[Name]>(
  rows: Rows,
  names: readonly Name[],
  key: Key,
): { [Each in Name]: Rows[Each][Key] } {
  return mapNames(names, (name) => rows[name][key]) as { [Each in Name]: Rows[Each][Key] };
}
