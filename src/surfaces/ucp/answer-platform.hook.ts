import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../../platform/languages/language.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { parseJsonObject } from '../../platform/lib/json-object.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import { signAnswer } from './message-signature.ts';
import type { ReadSigningKeys } from './signing-keys.cache.ts';
import { currentKey } from './signing-keys.ts';

type Deps = { clock: Clock; signingKeys: ReadSigningKeys };
type AnswerHook = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>;

/** How a transport writes answers. */
export type Transport = {
  /** An error: its code and sentence, and the seconds to wait before a retry. */
  fault(request: FastifyRequest, fault: { code: string; content: string; retryAfter?: number }): object;
  /** Whether answers to the request are signed. */
  isSigned(request: FastifyRequest): boolean;
  /** The language of the request's buyer. */
  languageOf(request: FastifyRequest): Language;
  /** A recorded answer, as the response to this request. */
  replayed(request: FastifyRequest, body: string): string;
};

/** The protocol's name of an error. One for want of a customer's consent comes with a challenge to sign in. */
function nameOf(code: string, challenge: string): string {
  if (code === 'rate_limited') return 'rate_limit_exceeded';
  if (code === 'invalid_api_key' && challenge.includes('"invalid_token"')) return 'identity_required';
  return code === 'scope_not_allowed' && challenge !== '' ? 'insufficient_scope' : code;
}

/** An error in words for a buyer; other details are for the platform's developer. */
function sentenceOf(code: string, { words, format }: Locale, retryAfter: number): string | undefined {
  const { refused } = words.checkout;
  if (code === 'rate_limit_exceeded') return words.agent.busy({ time: format.seconds(retryAfter || 1) });
  if (code === 'identity_required') return words.agent.order.signIn;
  if (code === 'session_ended') return words.agent.checkout.over;
  return /_unavailable$|^(not_ready|internal_error)$/.test(code) ? refused.unavailable : undefined;
}

const headerOf = (reply: FastifyReply, name: string) => String(reply.getHeader(name) ?? '');
const typeOf = (reply: FastifyReply) => headerOf(reply, 'content-type');
export const isProblem = (reply: FastifyReply) => typeOf(reply).startsWith('application/problem+json');

/** Writes errors in the protocol's form instead of problem documents, and signs successful answers. */
export function answerPlatform({ clock, signingKeys }: Deps, transport: Transport): AnswerHook {
  return async (request, reply, given) => {
    if (typeof given !== 'string') return given;
    const payload = reply.hasHeader('idempotent-replayed') ? transport.replayed(request, given) : given;
    if (isProblem(reply)) {
      const { code, detail } = parseJsonObject(payload) ?? {};
      const retryAfter = Number(reply.getHeader('retry-after') ?? Number.NaN);
      const name = nameOf(String(code), headerOf(reply, 'www-authenticate'));
      const content = sentenceOf(name, localeOf(transport.languageOf(request), 'US'), retryAfter) ?? String(detail);
      const fault = { code: name, content };
      reply.type('application/json');
      // The protocol's status for a key that was used with another request.
      if (code === 'idempotency_conflict') reply.code(409);
      return JSON.stringify(transport.fault(request, Number.isNaN(retryAfter) ? fault : { ...fault, retryAfter }));
    }
    if (!transport.isSigned(request)) return payload;
    const key = currentKey(await signingKeys(), clock.now());
    const answer = { status: reply.statusCode, contentType: typeOf(reply), body: payload };
    if (key) reply.headers(signAnswer(key, answer, clock.now()));
    return payload;
  };
}
