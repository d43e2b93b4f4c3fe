import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/lib/clock.ts';
import { parseJsonObject } from '../../platform/lib/json-object.ts';
import { signAnswer } from './message-signature.ts';
import type { ReadSigningKeys } from './signing-keys.cache.ts';
import { currentKey } from './signing-keys.ts';

type Deps = { clock: Clock; signingKeys: ReadSigningKeys };
type AnswerHook = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>;

/** How a transport writes a refusal: its code and sentence, and the seconds after which to try again. */
export type WriteFault = (
  request: FastifyRequest,
  fault: { code: string; content: string; retryAfter?: number },
) => object;

/** Writes refusals in the protocol's form instead of problem documents, and signs successful answers. */
export function answerPlatform({ clock, signingKeys }: Deps, writeFault: WriteFault): AnswerHook {
  return async (request, reply, payload) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (typeof payload !== 'string') return payload;
    if (type.startsWith('application/problem+json')) {
      const { code, detail } = parseJsonObject(payload) ?? {};
      const retryAfter = Number(reply.getHeader('retry-after') ?? Number.NaN);
      const fault = { code: String(code), content: String(detail) };
      reply.type('application/json');
      return JSON.stringify(writeFault(request, Number.isNaN(retryAfter) ? fault : { ...fault, retryAfter }));
    }
    const key = currentKey(await signingKeys(), clock.now());
    const answer = { status: reply.statusCode, contentType: type, body: payload };
    if (key) reply.headers(signAnswer(key, answer, clock.now()));
    return payload;
  };
}
