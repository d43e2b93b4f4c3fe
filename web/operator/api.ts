/** The path of BASE_URL, before every route of the service. */
const base = document.body.dataset.base ?? '';

export const addressOf = (path: string): string => base + path;

/** A refusal of the service, in its own words. */
export class Refused extends Error {}

/** Asks the service; a session that has ended leads to the sign-in. */
async function ask(path: string, init: RequestInit): Promise<unknown> {
  const reply = await fetch(addressOf(path), {
    ...init,
    headers: { accept: 'application/json', ...init.headers },
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Refused('The service cannot be reached. Check the connection, then try again.');
  });
  if (reply.status === 401) location.assign(addressOf('/console'));
  const body: unknown = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Refused(detailOf(body) ?? `The service answered ${reply.status}.`);
  return body;
}

function detailOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('detail' in body)) return undefined;
  return typeof body.detail === 'string' ? body.detail : undefined;
}

/** The answer has the shape that the API's description gives it (docs/operators.md). */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask(path, signal ? { signal } : {})) as T;
}

export async function post<T>(path: string, body: object = {}): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return (await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })) as T;
}

/** A path with the parameters that have a value. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}
