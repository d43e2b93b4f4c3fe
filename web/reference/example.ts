import type { ApiDocument, Operation, Parameter, Schema } from '../../src/reference/api-document.ts';

const DEPTH = 6;

/** What a parameter's field shows at first: its example, or its default where it must be given. Headers are of one request. */
export function startValueOf({ in: part, example, required, schema = {} }: Parameter): string {
  if (part === 'header' && !required) return '';
  const value = example ?? schema.examples?.[0] ?? (required ? (schema.default ?? schema.enum?.[0]) : undefined);
  return value === undefined ? '' : String(value);
}

/** A body in JSON: the example of the description, or its required members; undefined for an operation without such a body. */
export function bodyOf(described: ApiDocument, { requestBody }: Operation): string | undefined {
  const content = requestBody?.content?.['application/json'];
  if (!content) return undefined;
  const [first] = Object.values(content.examples ?? {});
  const example = content.example ?? first?.value ?? exampleOf(described, content.schema ?? {}, DEPTH);
  return JSON.stringify(example, null, 2);
}

function exampleOf(described: ApiDocument, schema: Schema, depth: number): unknown {
  const given = schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (given !== undefined || depth === 0) return given ?? null;
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return exampleOf(described, described.components?.schemas?.[name] ?? {}, depth - 1);
  const [variant] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (variant) return exampleOf(described, variant, depth - 1);
  const [type] = [schema.type ?? []].flat();
  if (type === 'array') return schema.items ? [exampleOf(described, schema.items, depth - 1)] : [];
  if (type === 'string') return '';
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer') return schema.minimum ?? 0;
  const members = (schema.required ?? []).map((each) => [
    each,
    exampleOf(described, schema.properties?.[each] ?? {}, depth - 1),
  ]);
  return Object.fromEntries(members);
}
