import { OPERATIONS, type Operations } from './api-types.ts';

/** The path of BASE_URL, which precedes every route of the service. */
const base = document.body.dataset.base ?? '';

export const addressOf = (path: string): string => base + path;

/** A refusal of the service; the message is its sentence. */
export class RefusalError extends Error {
  readonly code: string | undefined;
  constructor(sentence: string, code?: string) {
    super(sentence);
    this.code = code;
  }
}

/** Sends a request. An expired session redirects to the sign-in. */
async function ask(path: string, init: RequestInit): Promise<unknown> {
  const reply = await fetch(addressOf(path), {
    ...init,
    headers: { accept: 'application/json', ...init.headers },
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new RefusalError('The service cannot be reached. Check the connection, then try again.');
  });
  if (reply.status === 401) location.assign(addressOf('/console'));
  const body: unknown = await reply.json().catch(() => ({}));
  if (!reply.ok)
    throw new RefusalError(textOf(body, 'detail') ?? `The service answered ${reply.status}.`, textOf(body, 'code'));
  return body;
}

function textOf(body: unknown, name: 'detail' | 'code'): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const text: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
  return typeof text === 'string' ? text : undefined;
}

export async function post(path: string, body: object = {}): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

type OperationOf<Method> = {
  [Name in keyof Operations]: (typeof OPERATIONS)[Name] extends { method: Method } ? Name : never;
}[keyof Operations];
/** Operations that read, and operations that change something (docs/operators.md). */
export type ReadName = OperationOf<'GET'>;
type ChangeName = OperationOf<'POST'>;
export type AnswerOf<Name extends keyof Operations> = Operations[Name]['answer'];

type PathPart<Path> = Path extends undefined ? { path?: never } : { path: Path };
/** The query parameters of an operation as texts, as in the page's URL. */
export type QueryParameters<Name extends ReadName> = PathPart<Operations[Name]['path']> & {
  query?: Readonly<Record<string, string>>;
};
type Change<Name extends ChangeName> = PathPart<Operations[Name]['path']> &
  (Record<string, never> extends Operations[Name]['body']
    ? { body?: Operations[Name]['body'] }
    : { body: Operations[Name]['body'] });

/** An operation's path with the parameters that have a value. */
export function pathOf(
  name: keyof Operations,
  { path = {}, query = {} }: { path?: Readonly<Record<string, string>>; query?: Readonly<Record<string, string>> },
): string {
  const filled = OPERATIONS[name].path.replace(/\{(\w+)\}/g, (_all, part: string) =>
    encodeURIComponent(path[part] ?? ''),
  );
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return given === '' ? filled : `${filled}?${given}`;
}

/** Reads the answer of an operation; its type is from the API description. */
export async function read<Name extends ReadName>(path: string, signal: AbortSignal): Promise<AnswerOf<Name>> {
  return (await ask(path, { signal })) as AnswerOf<Name>;
}

export async function call<Name extends ChangeName>(name: Name, asked: Change<Name>): Promise<AnswerOf<Name>> {
  return (await post(pathOf(name, asked.path ? { path: asked.path } : {}), asked.body)) as AnswerOf<Name>;
}
