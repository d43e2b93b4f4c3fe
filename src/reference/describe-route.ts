import type { FastifySchema, RouteOptions } from 'fastify';
import { emptyAnswer, mergeAnswers } from '../http/content-answers.ts';
import { refusalAnswers } from './refusal-answers.ts';
import { withExample } from './with-example.ts';

const IDEMPOTENCY_KEY = {
  'Idempotency-Key': {
    type: 'string',
    maxLength: 255,
    description:
      'A text of your own for this one request. The same request with the same key runs once: for 24 hours it is answered with the first answer and the header `idempotent-replayed: true`.',
    examples: ['7f9c2ba4-e88f-4b1c-9b1d-6f1f3f0a3c1e'],
  },
};
const IF_NONE_MATCH = {
  'If-None-Match': {
    type: 'string',
    description: 'The `ETag` of an answer that you keep: the answer is 304 while it still holds.',
  },
};
const ETAG = { ETag: { type: 'string', description: 'Names this answer; changes when the answer does.' } };

const WITHOUT_KEY = ['invalid_request', 'internal_error', 'rate_limited', 'not_ready'] as const;
const WITH_KEY = [...WITHOUT_KEY, 'missing_api_key', 'invalid_api_key'] as const;
const BODY_REFUSALS = ['body_too_large', 'unsupported_media_type'] as const;
const OF_CONSOLE = ['cross_site_request'] as const;
const WITH_BODY = [...BODY_REFUSALS, 'idempotency_in_progress', 'idempotency_conflict'] as const;

const SECURITY_OF = {
  store: [{ 'Id-Token': [] }, { Bearer: [] }, { 'Console-Session': [] }],
  operator: [{ 'Console-Session': [] }],
};

/** A body that a partner describes. Its bytes are signed, so the service reads them as they are sent. */
const SIGNED_BODY = {
  type: 'object',
  additionalProperties: true,
  description: 'As the sender describes it; its signature is over the bytes of the body.',
};

type Described = { schema: FastifySchema; url: string };

/**
 * Adds to an endpoint's own description what holds for every endpoint of its kind: the key, the `Idempotency-Key` of a
 * POST, `ETag` and 304, and the refusals that are not the endpoint's own.
 */
export function describeRoute({ route, ...given }: Described & { route: RouteOptions }): Described {
  const { url } = given;
  if (given.schema?.hide) return given;
  const schema = withExample(given.schema ?? {});
  const { public: isPublic, audience, conditional, readsHeaders, rawBody } = route.config ?? {};
  const own = { ...(schema.response as Record<string, object> | undefined) };
  const answers = conditional ? withETag(own) : own;
  const headers = {
    ...(takesIdempotencyKey(route) ? IDEMPOTENCY_KEY : {}),
    ...(conditional ? IF_NONE_MATCH : {}),
    ...readsHeaders,
  };
  return {
    url,
    schema: {
      ...schema,
      ...(rawBody ? { body: SIGNED_BODY } : {}),
      ...(isPublic ? { security: [] } : {}),
      ...(audience === undefined ? {} : { security: SECURITY_OF[audience] }),
      ...(Object.keys(headers).length > 0 ? { headers: { type: 'object', properties: headers } } : {}),
      response: mergeAnswers(answers, refusalAnswers(codesOf(route))),
    },
  };
}

function takesIdempotencyKey({ method, config }: RouteOptions): boolean {
  return method === 'POST' && !config?.public && config?.audience === undefined;
}

const takesBody = ({ method }: RouteOptions) => method !== 'GET' && method !== 'HEAD';

function codesOf(route: RouteOptions) {
  const { refuses = [], public: isPublic, sandboxOnly, audience } = route.config ?? {};
  return [
    ...refuses,
    ...(isPublic ? WITHOUT_KEY : WITH_KEY),
    ...(takesIdempotencyKey(route) ? WITH_BODY : []),
    ...(sandboxOnly ? (['sandbox_only'] as const) : []),
    ...(audience === undefined ? [] : OF_CONSOLE),
    ...((audience !== undefined || isPublic) && takesBody(route) ? BODY_REFUSALS : []),
  ];
}

function withETag(answers: Readonly<Record<string, object>>): Record<string, object> {
  const unchanged = emptyAnswer('The answer that `If-None-Match` names still holds.', ETAG);
  return { ...answers, 200: { ...answers[200], headers: ETAG }, 304: unchanged };
}
