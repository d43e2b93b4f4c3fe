type SnakeCaseName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCaseName<Rest>}`
  : Name;

/** The type of `snakeCase`: a row with keys in snake_case and instants of type `Moment`. */
export type SnakeCase<Row, Moment> = {
  [Name in keyof Row & string as SnakeCaseName<Name>]:
    | Exclude<Row[Name], Temporal.Instant>
    | (Temporal.Instant extends Row[Name] ? Moment : never);
};

export function snakeCase<Row extends object, Moment>(
  row: Row,
  showMoment: (moment: Temporal.Instant) => Moment,
): SnakeCase<Row, Moment> {
  const members = Object.entries(row).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value instanceof Temporal.Instant ? showMoment(value) : value,
  ]);
  return Object.fromEntries(members);
}
