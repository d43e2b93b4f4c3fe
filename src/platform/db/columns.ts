import type { ColumnType } from 'kysely';

/** A timestamptz: read as an instant, written as its ISO 8601 string. */
export type InstantColumn = ColumnType<Temporal.Instant, string, string>;
export type MaybeInstantColumn = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>;
/** A jsonb column: read parsed, written as a JSON string. */
export type JsonColumn<T> = ColumnType<T, string, string>;
export type MaybeJsonColumn<T> = ColumnType<T | null, string | null | undefined, string | null>;
/** The written form of a value: instants and JSON as text. */
type Written<Value> = Value extends string | number | boolean | null ? Value : string;
/** The column of a field that always has a value. */
export type ColumnOf<Value> = ColumnType<Value, Written<Value>, Written<Value>>;
/** The columns of these fields. Only tables with fields written differently than read need this. */
export type ColumnsOf<Fields> = { [Name in keyof Fields]: ColumnOf<Fields[Name]> };
/** A bigint that may exceed 2^53: select it with `::text`. */
export type DigestColumn = ColumnType<string, never, never>;
