import assert from 'node:assert/strict';

type Headers = Record<string, string | string[] | undefined>;

/** Operations whose answers to requests without a key are the same for everybody. */
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
/** Pages of the shop, which a browser may revalidate. */
const SHOP = /^GET (\/|\/shop|\/shops\/\{account_id\}|(\/shop|\/shops\/\{account_id\})?(\/s\/\{store\}|\/orders))$/;

/** Checks that no cache could give an answer to anybody else: keyed answers, refusals and probes are never stored. */
export function assertCaching(
  operation: string,
  requestHeaders: Headers,
  { status, headers }: { status: number; headers: Headers },
) {
  const caching = String(headers['cache-control']);
  const said = `${operation} ${status}: cache-control: ${caching}`;
  if (/^private, no-store(, no-transform)?$/.test(caching)) return;
  assert.ok(status < 400, said);
  assert.equal(headers['set-cookie'], undefined, said);
  const path = operation.replace('HEAD', 'GET');
  // Sessions of the console read menus, too, with a cookie in place of a key.
  const isMenu = /^GET \/details\/(inventory|product)$/.test(path);
  if (isMenu || requestHeaders['id-token'] !== undefined || requestHeaders.authorization !== undefined) {
    assert.ok(isMenu, said);
    assert.equal(caching, 'private, no-cache', said);
    assert.match(String(headers.etag), /^"/, said);
    assert.match(String(headers.vary), /^id-token, authorization, accept-encoding(, origin)?$/, said);
    return;
  }
  if (caching === 'private, no-cache') assert.match(path, SHOP, said);
  else assert.ok(/^public, /.test(caching) && SHARED.some((pattern) => pattern.test(path)), said);
}
