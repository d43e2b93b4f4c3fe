import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/lib/clock.ts';
import { parseJsonObject } from '../../platform/lib/json-object.ts';
import { signAnswer } from './message-signature.ts';
import type { ReadSigningKeys } from './signing-keys.cache.ts';
import { currentKey } from './signing-keys.ts';

type Deps = { clock: Clock; signingKeys: ReadSigningKeys };
type AnswerHook = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>;

/** How a transport writes answers. */
export type Transport = {
  /** A refusal: its code and sentence, and the seconds after which to try again. */
  fault(request: FastifyRequest, fault: { code: string; content: string; retryAfter?: number }): object;
  /** A recorded answer, as the answer to this request. */
  replayed(request: FastifyRequest, body: string): string;
};

/** The protocol's status for a key that was used with another request. */
const CONFLICT = 409;

/** Writes refusals in the protocol's form instead of problem documents, and signs successful answers. */
export function answerPlatform({ clock, signingKeys }: Deps, transport: Transport): AnswerHook {
  return async (request, reply, given) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (typeof given !== 'string') return given;
    const payload = reply.hasHeader('idempotent-replayed') ? transport.replayed(request, given) : given;
    if (type.startsWith('application/problem+json')) {
      const { code, detail } = parseJsonObject(payload) ?? {};
      const retryAfter = Number(reply.getHeader('retry-after') ?? Number.NaN);
      const fault = { code: String(code), content: String(detail) };
      reply.type('application/json');
      if (code === 'idempotency_conflict') reply.code(CONFLICT);
      return JSON.stringify(transport.fault(request, Number.isNaN(retryAfter) ? fault : { ...fault, retryAfter }));
    }
    const key = currentKey(await signingKeys(), clock.now());
    const answer = { status: reply.statusCode, contentType: type, body: payload };
    if (key) reply.headers(signAnswer(key, answer, clock.now()));
    return payload;
  };
}
