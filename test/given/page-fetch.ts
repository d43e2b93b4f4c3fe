import type { App } from '../harness.ts';

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];
const SENT_WITHOUT_ASKING = /^(accept|accept-language|content-language|origin)$/;
const READ_WITHOUT_ASKING =
  /^(cache-control|content-language|content-length|content-type|expires|last-modified|pragma)$/;

const listOf = (header: string | null) => (header ?? '').split(',').map((name) => name.trim().toLowerCase());

/** Fetches from the service as a page of the origin does, by the CORS protocol; as a program without an origin. */
export function givenFetch(
  { service }: App,
  origin?: string,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  async function send(url: URL, method: string, headers: Headers, body?: unknown) {
    const reply = await service.http.inject({
      method: method as 'GET',
      url: url.pathname + url.search,
      headers: { ...Object.fromEntries(headers), host: url.host },
      ...(body != null && { payload: String(body) }),
    });
    const { statusCode: status } = reply;
    return new Response([204, 304].includes(status) ? null : reply.body, { status, headers: reply.headers as never });
  }
  return async (input, { method = 'GET', headers: given, body } = {}) => {
    const url = new URL(input);
    const headers = new Headers(given);
    if (origin === undefined) return send(url, method, headers, body);
    headers.set('origin', origin);
    const isForm = /^application\/x-www-form-urlencoded/.test(headers.get('content-type') ?? '');
    const named = [...headers.keys()].filter(
      (name) => !SENT_WITHOUT_ASKING.test(name) && !(name === 'content-type' && isForm),
    );
    if (named.length > 0 || !METHODS.includes(method)) {
      const asks = { 'access-control-request-method': method, 'access-control-request-headers': named.join(',') };
      const answer = (await send(url, 'OPTIONS', new Headers({ origin, ...asks }))).headers;
      const allowed = listOf(answer.get('access-control-allow-headers'));
      const refused = named.filter(
        (name) => !allowed.includes(name) && (name === 'authorization' || !allowed.includes('*')),
      );
      const takesMethod =
        METHODS.includes(method) || listOf(answer.get('access-control-allow-methods')).includes(method.toLowerCase());
      requireOrigin(answer, origin, url);
      if (refused.length > 0 || !takesMethod) throw new TypeError(`${url}: the preflight refuses ${method} ${refused}`);
    }
    const response = await send(url, method, headers, body);
    requireOrigin(response.headers, origin, url);
    const exposed = listOf(response.headers.get('access-control-expose-headers'));
    for (const name of [...response.headers.keys()]) {
      if (!READ_WITHOUT_ASKING.test(name) && !exposed.includes(name)) response.headers.delete(name);
    }
    return response;
  };
}

function requireOrigin(headers: Headers, origin: string, url: URL): void {
  const allowed = headers.get('access-control-allow-origin');
  if (allowed !== origin && allowed !== '*') throw new TypeError(`${url}: a page of ${origin} may not read the answer`);
}
