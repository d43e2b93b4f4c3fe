/** Members whose type allows `undefined` become optional, and are never `undefined` where they are set. */
export type Present<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<Members[Name], undefined>;
};

type Literal = string | number | bigint | boolean | null | undefined;

/** Leaves out members that are `undefined`; keeps `null`, `''`, `0` and `false`. For literal names, never of input. */
export function present<Value extends Literal, Members extends { [name: string]: Value | object }>(
  members: Members,
): Present<Members> {
  const kept: { [name: string]: Value | object } = {};
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept as Present<Members>;
}
