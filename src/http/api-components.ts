import { Type } from 'typebox';

const NAME = 'x-component';
const REFERENCE = 'x-component-reference';

type Json = Record<string, unknown>;

/** Options of a schema that the OpenAPI document defines once, under `components`, and references everywhere else. */
export function named(name: string, description: string) {
  return { [NAME]: name, description };
}

/** A reference to a named schema, for a schema that contains itself. */
export function reference(name: string) {
  return Type.Unsafe<unknown>({ [REFERENCE]: name });
}

/**
 * Moves every named schema of an OpenAPI document to `components.schemas`. Throws where two different schemas have the
 * same name, and where a reference names no schema: both are mistakes in our schemas.
 */
export function hoistComponents<Document extends object>(document: Document): Document {
  const { components = {}, ...rest } = document as Json & { components?: Json };
  const schemas: Json = {};
  const referred = new Set<string>();
  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== 'object' || value === null) return value;
    const { [NAME]: name, [REFERENCE]: to, ...schema } = value as Json;
    if (typeof to === 'string') return refer(to);
    const walked = Object.fromEntries(Object.entries(schema).map(([key, member]) => [key, hoist(member)]));
    if (typeof name !== 'string') return walked;
    if (JSON.stringify(schemas[name] ?? walked) !== JSON.stringify(walked))
      throw new Error(`Two different schemas are named ${name}.`);
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
