import assert from 'node:assert/strict';
import CachePolicy from 'http-cache-semantics';

type Headers = Record<string, string | string[] | undefined>;

/** Operations whose responses to requests without a key are the same for everyone. */
const SHARED: readonly RegExp[] = [
  /^GET (\/|\/favicon\.ico|\/robots\.txt|\/sitemap\.xml|\/llms\.txt|\/openapi\.json|\/reference|\/\.well-known\/.*)$/,
  /^GET \/docs(\/|$)/,
  /^GET \/start\/\{name\}$/,
  /^GET \/[\w/-]+\/assets\/\{name\}$/,
  /^GET \/tracking\/(colors\/\{name\}|favicon|tiles\.pmtiles)$/,
  /^GET (\/shop|\/shops\/\{account_id\})?\/s\/\{store\}\/code\.svg$/,
  /^GET \/photos\/\{photo_id\}\/\{file\}$/,
  /^GET \/sandbox\/driver\.svg$/,
];
/** Menus, which the client of a key may revalidate, and the console, whose cookie takes the place of a key. */
const MENU = /^GET \/details\/(inventory|product)$/;
/** Pages of the shop, which a browser may revalidate. */
const SHOP = /^GET (\/|\/shop|\/shops\/\{account_id\}|(\/shop|\/shops\/\{account_id\})?(\/s\/\{store\}|\/orders))$/;

type Exchanged = { operation: string; requestHeaders: Headers; status: number; headers: Headers };

/** How a cache treats a response, by RFC 9111: one for many clients, or that of a browser. */
export function cachePolicyOf({ operation, requestHeaders, status, headers }: Exchanged, shared: boolean): CachePolicy {
  const method = operation.replace('HEAD', 'GET').split(' ')[0];
  // A cache completes the stored answer by a part of it, and refreshes it where it's unchanged.
  const stored = status === 206 || status === 304 ? 200 : status;
  return new CachePolicy(
    { method, headers: asSent(requestHeaders) },
    { status: stored, headers: { ...headers } },
    { shared },
  );
}

/** No client forbids the cache to store a response. */
const asSent = (headers: Headers) => ({ ...headers, 'cache-control': undefined });

/** Checks that no cache could give a response to another client: keyed answers, errors and probes are never stored. */
export function assertCaching(
  operation: string,
  requestHeaders: Headers,
  { status, headers }: { status: number; headers: Headers },
) {
  const caching = String(headers['cache-control']);
  const said = `${operation} ${status}: cache-control: ${caching}`;
  const exchanged = { operation, requestHeaders, status, headers };
  const own = cachePolicyOf(exchanged, false);
  if (!own.storable()) return assert.match(caching, /^private, no-store(, no-transform)?$/, said);
  assert.ok(status < 400, said);
  assert.equal(headers['set-cookie'], undefined, said);
  const path = operation.replace('HEAD', 'GET');
  const isKeyed = requestHeaders['id-token'] !== undefined || requestHeaders.authorization !== undefined;
  if (cachePolicyOf(exchanged, true).storable())
    return assert.ok(!isKeyed && SHARED.some((pattern) => pattern.test(path)), said);
  assert.equal(caching, 'private, no-cache', said);
  assert.ok(MENU.test(path) || (SHOP.test(path) && !isKeyed), said);
  if (!MENU.test(path)) return;
  const isRevalidated = (changed: Headers) =>
    'if-none-match' in own.revalidationHeaders({ headers: { ...asSent(requestHeaders), ...changed } });
  assert.match(String(headers.etag), /^"/, said);
  assert.ok(isRevalidated({}), said);
  for (const name of ['id-token', 'authorization', 'accept-encoding'])
    assert.ok(!isRevalidated({ [name]: 'another' }), `${said}, vary: ${headers.vary}`);
}
