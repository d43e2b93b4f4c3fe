import { Type } from 'typebox';

const NAME = 'x-component';
const REFERENCE = 'x-component-reference';

type Json = Record<string, unknown>;

/** Options of a schema that the API's description tells once, under `components`, and refers to wherever it stands. */
export function named(name: string, description: string) {
  return { [NAME]: name, description };
}

/** Stands for a named schema inside itself. */
export function reference(name: string) {
  return Type.Unsafe<unknown>({ [REFERENCE]: name });
}

/**
 * Moves every named schema of an OpenAPI document to `components.schemas`. Throws where one name has two meanings, or a
 * reference none: both are mistakes of the schemas.
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
    if (JSON.stringify(schemas[name] ?? walked) !== JSON.stringify(walked)) throw new Error(`two schemas are ${name}`);
    schemas[name] = walked;
    return refer(name);
  };
  const refer = (name: string) => {
    referred.add(name);
    return { $ref: `#/components/schemas/${name}` };
  };
  const walked = hoist(rest) as Json;
  const nowhere = [...referred].filter((name) => !Object.hasOwn(schemas, name));
  if (nowhere.length > 0) throw new Error(`no schema is ${nowhere.join(', ')}`);
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b)));
  return {
    ...walked,
    components: { ...components, schemas: { ...(components.schemas as Json), ...sorted } },
  } as Document;
}
