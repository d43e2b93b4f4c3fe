import { type TProperties, type TSchema, Type } from 'typebox';

const NAME = 'x-component';
const REFERENCE = 'x-component-reference';

type Json = Record<string, unknown>;

/** Creates the schema options that move a schema to the OpenAPI document's `components`, where it is defined once. */
export const named = (name: string, description: string) => ({ [NAME]: name, description });

/** An object that is defined once, in `components`. */
export const component = <Fields extends TProperties>(name: string, description: string, fields: Fields) =>
  Type.Object(fields, named(name, description));
export const describedObject = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Object(fields, { description });

/** Creates a reference to a named schema, for schemas that contain themselves. */
export const reference = (name: string) => Type.Unsafe<unknown>({ [REFERENCE]: name });

/** Schemas that many endpoints use. */
export const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });
export const text = (description: string) => Type.String({ description });
export const integer = (description: string) => Type.Integer({ description });
export const number = (description: string) => Type.Number({ description });
export const bool = (description: string) => Type.Boolean({ description });
export const cents = (description: string, limits = {}) =>
  Type.Integer({ ...limits, description: `${description} In cents.`.trim() });
/** Whether the description of a number says that it is an amount, or a moment. */
export const saysCents = (description: unknown) => /\bcents\b/i.test(String(description));
export const saysEpochSeconds = (description: unknown) => /\bepoch seconds\b/i.test(String(description));
export const flag = (description: string) => Type.Optional(bool(description));
export const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));
/** An ID to filter by. An empty one is refused, because it would match everything. */
export const optionalFilter = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));
export const optionalWhole = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }));
export const optionalNumber = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Number({ minimum, maximum, description }));

/**
 * Moves every named schema of an OpenAPI document to `components.schemas`. Throws if different schemas share a name or
 * a reference names no schema: both are mistakes in our schemas.
 */
export function hoistComponents<Document extends object>(document: Document): Document {
  const { components = {}, ...rest } = document as Json & { components?: Json };
  const schemas: Json = {};
  const texts = new Map<string, string>();
  const referred = new Set<string>();
  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== 'object' || value === null) return value;
    const { [NAME]: name, [REFERENCE]: to } = value as Json;
    if (typeof to === 'string') return refer(to);
    const walked: Json = {};
    for (const [key, member] of Object.entries(value)) {
      if (key !== NAME && key !== REFERENCE) walked[key] = hoist(member);
    }
    if (typeof name !== 'string') return walked;
    const text = JSON.stringify(walked);
    if ((texts.get(name) ?? text) !== text) throw new Error(`Two different schemas are named ${name}.`);
    texts.set(name, text);
    schemas[name] = walked;
    return refer(name);
  };
  const refer = (name: string) => {
    referred.add(name);
    return { $ref: `#/components/schemas/${name}` };
  };
  const walked = hoist(rest) as Json;
  const missing = [...referred].filter((name) => !Object.hasOwn(schemas, name));
  if (missing.length > 0) throw new Error(`No schema is named ${missing.join(', ')}.`);
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b)));
  return {
    ...walked,
    components: { ...components, schemas: { ...(components.schemas as Json), ...sorted } },
  } as Document;
}
