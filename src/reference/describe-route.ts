import type { FastifySchema, RouteOptions } from 'fastify';
import { refusalAnswers } from './refusal-answers.ts';

const IDEMPOTENCY_KEY = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      maxLength: 255,
      description:
        'Unlike that of any other request. The same request with the same key is done once and answered for 24 hours with the first answer, with the header `idempotent-replayed: true`.',
      examples: ['7f9c2ba4-e88f-4b1c-9b1d-6f1f3f0a3c1e'],
    },
  },
} as const;

const REFERENCE_PAGE: FastifySchema = {
  operationId: 'readReference',
  tags: ['Operations'],
  summary: 'This description, to be read',
  produces: ['text/html'],
  response: { 200: { type: 'string', description: 'A page.' } },
};

type Described = { schema: FastifySchema; url: string };

/**
 * Adds to an endpoint's description what holds for many endpoints: the key, the `Idempotency-Key` of a POST, and the
 * shared refusals.
 */
export function describeRoute({ schema, url, route }: Described & { route: RouteOptions }): Described {
  if (url === '/reference/') return { schema: { ...REFERENCE_PAGE, security: [] }, url: '/reference' };
  if (schema?.hide) return { schema, url };
  const own = route.config?.refuses ?? [];
  if (route.config?.public) {
    const response = { ...(schema.response as object), ...refusalAnswers(own) };
    return { schema: { ...schema, security: [], response }, url };
  }
  const isPost = route.method === 'POST';
  const codes = [...own, ...refusalsOfAll(isPost), ...(route.config?.sandboxOnly ? SANDBOX_ONLY : [])];
  const response = { ...(schema.response as object), ...refusalAnswers(codes) };
  return { schema: { ...schema, response, ...(isPost ? { headers: IDEMPOTENCY_KEY } : {}) }, url };
}

const SANDBOX_ONLY = ['sandbox_only'] as const;
const WITH_KEY = [
  'invalid_request',
  'missing_api_key',
  'invalid_api_key',
  'rate_limited',
  'not_ready',
  'internal_error',
] as const;
const WITH_BODY = [
  'body_too_large',
  'unsupported_media_type',
  'idempotency_in_progress',
  'idempotency_conflict',
] as const;

function refusalsOfAll(isPost: boolean) {
  return [...WITH_KEY, ...(isPost ? WITH_BODY : [])];
}
