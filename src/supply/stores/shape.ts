import { type Static, type TOptional, type TSchema, Type } from 'typebox';
import type { FeedObject } from './feed-fields.ts';

/*
 * A shape is a list of fields, each defined once: its name on the wire and inside, its schema, its reader and its
 * writer. Schemas of requests and responses, the reader that reports every error, and the writer follow from it.
 */

/** `as` is the name inside; by default the wire's in camel case. `write` returns undefined for a field left out. */
export type Field<Value = unknown, Wire extends TSchema = TSchema> = {
  schema: Wire;
  as?: string;
  isRequired?: true;
  read(from: FeedObject, name: string): Value | undefined;
  write?(value: Value): unknown;
};
export type Shape = Readonly<Record<string, Field>>;

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
type NameOf<Name extends string, F> = F extends { as: infer As extends string } ? As : Camel<Name>;
type ValueOf<F> = F extends { read(...of: never[]): infer Value } ? Exclude<Value, undefined> : never;
/** The value that a shape describes, by its internal names. */
export type Shaped<S extends Shape> = {
  [Name in keyof S & string as S[Name] extends { isRequired: true } ? NameOf<Name, S[Name]> : never]: ValueOf<S[Name]>;
} & {
  [Name in keyof S & string as S[Name] extends { isRequired: true } ? never : NameOf<Name, S[Name]>]?: ValueOf<S[Name]>;
};

type Properties<S extends Shape> = {
  [Name in keyof S]: S[Name] extends { isRequired: true } ? S[Name]['schema'] : TOptional<S[Name]['schema']>;
};
/** A shape's JSON. */
export type Wire<S extends Shape> = Static<ReturnType<typeof Type.Object<Properties<S>>>>;

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The members of a schema of its objects. */
export const propertiesOf = <S extends Shape>(shape: S): Properties<S> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, { schema, isRequired }]) => [name, isRequired ? schema : Type.Optional(schema)]),
  ) as Properties<S>;

/** Reads all fields, but those that `absent` gives a reason to refuse. The result is meaningless after an error. */
export function readShape<S extends Shape>(shape: S, from: FeedObject, absent = new Map<string, string>()): Shaped<S> {
  const value: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape)) {
    const why = absent.get(name);
    if (why !== undefined && from.has(name)) from.fault(name, `expected absent: ${why}`);
    if (why !== undefined) continue;
    if (field.isRequired) from.requirePresent(name);
    const read = field.read(from, name);
    if (read !== undefined) value[field.as ?? camel(name)] = read;
  }
  return value as Shaped<S>;
}

/** Writes the fields that are present, in the sequence of the shape. */
export function writeShape<S extends Shape>(shape: S, value: Partial<Shaped<S>>): Wire<S> {
  const wire: Record<string, unknown> = {};
  for (const [name, { as = camel(name), write = (one: unknown) => one }] of Object.entries(shape)) {
    const own = (value as Record<string, unknown>)[as];
    const written = own === undefined ? undefined : write(own);
    if (written !== undefined) wire[name] = written;
  }
  return wire as Wire<S>;
}

export const required = <F extends Field>(field: F) => ({ ...field, isRequired: true as const });
export const named = <F extends Field, const As extends string>(as: As, field: F) => ({ ...field, as });
