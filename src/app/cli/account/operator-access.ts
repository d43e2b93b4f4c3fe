import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { OPERATOR_KEY_PREFIX } from '../../../access/sessions/sign-in.flow.ts';
import { Refusal, type RefusalCode } from '../../../platform/http/refusal.ts';
import { TextFile } from '../../../platform/http/send-csv.ts';
import { headerText } from '../../../platform/lib/parse-setting.ts';
import { REFUSALS } from '../../wiring/refusals.ts';
import { CommandFailure } from '../failure.ts';
import { misuseError, serviceUrl } from './connect.ts';

/** A running service, used with an operator's key. */
export type OperatorAccess = { url: string; key: string };

/** The service of DOORSTEP_URL if DOORSTEP_KEY is an operator's key. Throws CommandFailure. */
export function operatorAccess(env: NodeJS.ProcessEnv): OperatorAccess | undefined {
  const key = env.DOORSTEP_KEY?.trim() ?? '';
  if (!key.startsWith(OPERATOR_KEY_PREFIX)) return undefined;
  if (!headerText(key)) throw misuseError('The key contains characters that no API key contains.');
  return { url: serviceUrl(), key };
}

type Parts = { params?: object; query?: object; body?: object };

const TIMEOUT_MS = 60_000;
/** A file is as long as its orders. */
const FILE_TIMEOUT_MS = 3_600_000;

/**
 * Runs an operation on the service. Rejects with its error, or with CommandFailure. A redirect is not followed, because
 * it would receive the key.
 */
export async function requestOperation<Answer extends TSchema>(
  { url, key }: OperatorAccess,
  { endpoint, answer }: { endpoint: string; answer: Answer },
  { params = {}, query = {}, body }: Parts,
): Promise<Static<Answer>> {
  const [method = '', path = ''] = endpoint.split(' ');
  const isFile = /\.\w+$/.test(path);
  const values = new Map(Object.entries(params).map(([name, value]) => [name, pathSegment(String(value))]));
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => values.get(name) ?? '');
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const reply = await fetch(`${url}${filled}${search === '' ? '' : `?${search}`}`, {
    method,
    headers: { 'id-token': key, ...(method === 'POST' && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(isFile ? FILE_TIMEOUT_MS : TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new CommandFailure(`${url} isn't responding. Start the service there, or set DOORSTEP_URL.`, {
      cause: error,
    });
  });
  const document: unknown =
    isFile && reply.ok && reply.body
      ? new TextFile('', reply.body.pipeThrough(new TextDecoderStream()))
      : await reply.json().catch(() => undefined);
  if (reply.ok && Value.Check(answer, document)) return document;
  const sentence = `${url} answered ${reply.status}, but not as this version of Doorstep does. Check DOORSTEP_URL.`;
  if (reply.ok || !Value.Check(Problem, document)) throw new CommandFailure(sentence);
  const { code, detail } = document;
  throw isRefusalCode(code) ? new Refusal(code, detail) : new CommandFailure(detail);
}

/** Encodes an ID as a segment of a path. `.`, `..` and an empty ID would change the path, so they are `not_found`. */
function pathSegment(id: string): string {
  if (['', '.', '..'].includes(id)) throw new Refusal('not_found', 'There is nothing with this ID.');
  return encodeURIComponent(id);
}

const Problem = Type.Object({ detail: Type.String(), code: Type.String() });

const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(REFUSALS, code);
