import type { FastifySchema } from 'fastify';
import type { RequestExample } from '../http/http.ts';

type Values = NonNullable<RequestExample['query']>;

/** Spreads the example of a request over the schemas of its parts: each parameter, and the body, has its part of the example. */
export function withExample({ example, ...schema }: FastifySchema): FastifySchema {
  if (!example) return schema;
  const { path, query, body } = example;
  return {
    ...schema,
    ...(path ? { params: withValues(schema.params, path) } : {}),
    ...(query ? { querystring: withValues(schema.querystring, query) } : {}),
    ...(body ? { body: { ...(schema.body as object), examples: [body] } } : {}),
  };
}

/** Throws for a value whose parameter the schema does not have: a mistake in our example. */
function withValues(schema: unknown, values: Values): object {
  const described = schema as { properties: Record<string, object> };
  const properties = { ...described.properties };
  for (const [name, value] of Object.entries(values)) {
    const property = properties[name];
    if (!property) throw new Error(`An example has the parameter ${name}, which its schema does not have.`);
    properties[name] = { ...property, examples: [value] };
  }
  return { ...described, properties };
}
