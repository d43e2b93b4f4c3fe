/** Creates a record with the value of `get` for each name. */
export function recordByName<Name extends string, Value>(
  names: readonly Name[],
  get: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name): [string, Value] => [name, get(name)])) as Record<Name, Value>;
}

/** Creates a record with each name's value of `key` in its row. */
export function mapMember<Rows, Name extends keyof Rows & string, Key extends keyof Rows[Name]>(
  rows: Rows,
  names: readonly Name[],
  key: Key,
): { [Each in Name]: Rows[Each][Key] } {
  return recordByName(names, (name) => rows[name][key]) as { [Each in Name]: Rows[Each][Key] };
}
