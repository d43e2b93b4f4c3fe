import type { ColumnType } from 'kysely';

/** A timestamptz: read as an instant, written as its ISO 8601 string. */
export type InstantColumn = ColumnType<Temporal.Instant, string, string>;
export type MaybeInstantColumn = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>;
/** A jsonb column: read parsed, written as a JSON string. */
export type JsonColumn<T> = ColumnType<T, string, string>;
export type MaybeJsonColumn<T> = ColumnType<T | null, string | null | undefined, string | null>;
/** The type of a value in an insert or update: instants and JSON as text. */
type WrittenValue<Value> = Value extends string | number | boolean | null ? Value : string;
export type ColumnOf<Value> = ColumnType<Value, WrittenValue<Value>, WrittenValue<Value>>;
/** Kysely column types of a record's fields, for tables whose fields are written differently than they are read. */
export type ColumnsOf<Fields> = { [Name in keyof Fields]: ColumnOf<Fields[Name]> };
/** A bigint above 2^53; it must be selected with `::text`. */
export type DigestColumn = ColumnType<string, never, never>;
