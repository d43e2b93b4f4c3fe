import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { OPERATOR_KEY_PREFIX } from '../../../access/sessions/sign-in.flow.ts';
import { REFUSALS, Refusal, type RefusalCode } from '../../../platform/http/refusal.ts';
import { CommandFailure } from '../failure.ts';
import { serviceUrl } from './connect.ts';

/** A running service, used with an operator's key. */
export type OperatorAccess = { url: string; key: string };

/** The service of DOORSTEP_URL if DOORSTEP_KEY is an operator's key. */
export function operatorAccess(env: NodeJS.ProcessEnv): OperatorAccess | undefined {
  const key = env.DOORSTEP_KEY?.trim() ?? '';
  return key.startsWith(OPERATOR_KEY_PREFIX) ? { url: serviceUrl(), key } : undefined;
}

type Parts = { params?: object; query?: object; body?: object };

const TIMEOUT_MS = 60_000;

/** Runs a procedure on the service. Rejects with its refusal, or with CommandFailure. */
export async function requestProcedure<Answer extends TSchema>(
  { url, key }: OperatorAccess,
  { endpoint, answer }: { endpoint: string; answer: Answer },
  { params = {}, query = {}, body }: Parts,
): Promise<Static<Answer>> {
  const [method = '', path = ''] = endpoint.split(' ');
  const values = new Map(Object.entries(params).map(([name, value]) => [name, encodeURIComponent(String(value))]));
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => values.get(name) ?? '');
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const reply = await fetch(`${url}${filled}${search === '' ? '' : `?${search}`}`, {
    method,
    headers: { 'id-token': key, ...(method === 'POST' && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new CommandFailure(`${url} isn't responding. Start the service there, or set DOORSTEP_URL.`, {
      cause: error,
    });
  });
  const document: unknown = await reply.json().catch(() => undefined);
  if (reply.ok && Value.Check(answer, document)) return document;
  const sentence = `${url} answered ${reply.status} with a body of another version or program.`;
  if (reply.ok || !Value.Check(Problem, document)) throw new CommandFailure(sentence);
  const faults = document.errors?.map(({ name, message }) => `${name} ${message}`) ?? [];
  const detail = [document.detail, ...faults].join('; ');
  throw isRefusalCode(document.code) ? new Refusal(document.code, detail) : new CommandFailure(detail);
}

const Problem = Type.Object({
  detail: Type.String(),
  code: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ name: Type.String(), message: Type.String() }))),
});

const isRefusalCode = (code: string): code is RefusalCode => code in REFUSALS;
