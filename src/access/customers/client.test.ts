import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTokenSealer } from '../../platform/lib/tokens.ts';
import {
  isDocumentUrl,
  isRedirect,
  openDynamicClient,
  readClientDocument,
  readRegistration,
  registerDynamicClient,
  takesRedirect,
} from './client.ts';

const ID = 'https://chat.example/client.json';
const AT = Temporal.Instant.from('2026-06-10T17:00:00Z');

test('a redirect matches exactly; one on loopback may have any port', () => {
  const redirectUris = ['https://a.example/cb', 'http://127.0.0.1/cb', 'http://[::1]:80/cb', 'http://localhost:1/cb'];
  const takes = (uri: string) => takesRedirect({ redirectUris }, uri);
  for (const uri of [...redirectUris, 'http://127.0.0.1:51004/cb', 'http://[::1]:9/cb', 'http://localhost/cb']) {
    assert.ok(takes(uri), uri);
  }
  for (const uri of [
    'https://a.example/cb/',
    'https://a.example/cb?x=1',
    'https://A.example/cb',
    'https://a.example:443/cb',
    'https://a.example.evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.1:1@evil.example/cb',
    'http://127.0.0.1/other',
    'https://127.0.0.1/cb',
    'http://127.0.0.2/cb',
    '',
  ]) {
    assert.ok(!takes(uri), uri);
  }
});

/** Texts of a scheme, in any case. */
const inAnyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((flags) => [...text].map((letter, n) => (flags[n] ? letter.toUpperCase() : letter)).join(''));
const schemes = fc.oneof(
  fc.constantFrom('cursor', 'vscode', 'vscode-insiders', 'com.example.app', 'app', 'x+y.z-1'),
  fc.stringMatching(/^x[a-z\d+.-]{0,20}$/),
);
const notOfAnApp = fc
  .constantFrom(...'javascript data file blob about vbscript view-source http ftp ws tel sms ssh'.split(' '))
  .chain(inAnyCase);
const paths = fc.stringMatching(/^[a-z\d/?=&.-]{1,20}$/);
const ports = fc.integer({ min: 1, max: 65_535 });

test('a redirect may be https, http on loopback, or of a scheme that an app has claimed', () => {
  const allowed = fc.oneof(
    fc.tuple(schemes, paths).map(([scheme, path]) => `${scheme}:/${path}`),
    fc.tuple(schemes, paths).map(([scheme, path]) => `${scheme}://app.page/${path}`),
    fc.tuple(ports, paths).map(([port, path]) => `http://127.0.0.1:${port}/${path}`),
    fc.tuple(ports, paths).map(([port, path]) => `https://a.example:${port}/${path}`),
    fc.constantFrom('https://a.example/cb?x=1', 'http://localhost', 'http://[::1]/x', 'http://localhost?x=1'),
    fc.constant('com.example.app:/'),
  );
  fc.assert(fc.property(allowed, (uri) => isRedirect(uri) && takesRedirect({ redirectUris: [uri] }, uri)));
});

test('a redirect has a port from 1 to 65535, and never a script, a document, a fragment or the end of a header', () => {
  const noPort = fc.oneof(fc.constant(0), fc.integer({ min: 65_536, max: 999_999 }));
  const refused = fc.oneof(
    fc.tuple(notOfAnApp, paths).map(([scheme, path]) => `${scheme}:/${path}`),
    fc.tuple(notOfAnApp, paths).map(([scheme, path]) => `${scheme}:${path}`),
    fc.tuple(notOfAnApp, paths).map(([scheme, path]) => `${scheme}://a.example/${path}`),
    fc
      .tuple(
        fc.constantFrom('https://a.example', 'http://127.0.0.1', 'http://[::1]', 'http://localhost', 'app://a'),
        noPort,
      )
      .map(([origin, port]) => `${origin}:${port}/cb`),
    fc
      .tuple(
        fc.constantFrom('https://a.example/', 'app:/', 'http://localhost/'),
        fc.constantFrom('#x', '\r\nx: y', ' x', '\u00e9'),
      )
      .map(([uri, end]) => uri + end),
    fc.constantFrom(
      'https://u@a.example/',
      'app://u:p@a/',
      "https://a;script-src 'self'.example/",
      'https://a;b.example/',
      'com.example.app:cb',
      'app:',
      'app://',
      'http://127.0.0.1.evil.example/cb',
    ),
  );
  fc.assert(fc.property(refused, (uri) => !isRedirect(uri) && !takesRedirect({ redirectUris: [uri] }, uri)));
});

test('a registration keeps the first ten allowed redirects that fit, and fails without any', () => {
  const tokens = createTokenSealer({ current: 'a secret of the service', previous: [] });
  const uris = fc.oneof(
    fc.tuple(schemes, paths).map(([scheme, path]) => `${scheme}:/${path}`),
    fc.nat().map((n) => `https://a.example/${'x'.repeat(n % 900)}`),
    fc.constantFrom('javascript:alert(1)', 'http://a.example/', 'http://127.0.0.1:65536/', 5, null),
  );
  fc.assert(
    fc.property(fc.array(uris, { maxLength: 30 }), (redirect_uris) => {
      const wanted = readRegistration({ redirect_uris, token_endpoint_auth_method: 'none' });
      const allowed = redirect_uris.filter((uri) => typeof uri === 'string' && isRedirect(uri)).slice(0, 10);
      if ('error' in wanted) return allowed.length === 0 && wanted.error === 'invalid_redirect_uri';
      const registered = registerDynamicClient(tokens, 'acc_1', wanted, AT);
      const kept = registered?.redirectUris ?? [];
      assert.deepEqual(kept, allowed.slice(0, kept.length));
      assert.ok(kept.length > 0 && (kept.length === allowed.length || allowed.join('').length > 900));
      assert.deepEqual(openDynamicClient(tokens, 'acc_1', registered?.clientId ?? '')?.redirectUris, kept);
      return true;
    }),
  );
});

test('the address of a document is https in its normal form, with a path', () => {
  assert.ok(isDocumentUrl(ID, false));
  for (const url of [
    'http://chat.example/client.json',
    'https://chat.example/',
    'https://chat.example',
    'https://chat.example/a/../client.json',
    'https://chat.example/%2e%2e/client.json',
    'https://chat.example/client.json?x',
    'https://chat.example/client.json#x',
    'https://u:p@chat.example/client.json',
    'https://CHAT.example/client.json',
    'https://chat.example:443/client.json',
    'file:///etc/passwd',
    'cli_1',
  ]) {
    assert.ok(!isDocumentUrl(url, false), url);
  }
});

test('a document names itself and a redirect, keeps keys at its own host, and shares no secret', () => {
  const read = (changes: object) =>
    readClientDocument(JSON.stringify({ client_id: ID, redirect_uris: ['https://chat.example/cb'], ...changes }), ID);
  const client = read({ client_name: 'Chat\u202e\n', jwks_uri: 'https://chat.example/keys' });
  assert.ok(typeof client === 'object');
  assert.deepEqual([client.name, client.methods, client.jwksUri], ['Chat', ['none'], 'https://chat.example/keys']);
  assert.equal((read({ jwks_uri: 'https://evil.example/keys' }) as typeof client).jwksUri, null);
  assert.equal(read({ client_id: 'https://evil.example/client.json' }), undefined);
  assert.equal(read({ redirect_uris: ['javascript:x'] }), undefined);
  assert.equal(read({ token_endpoint_auth_method: 'client_secret_basic' }), 'secret');
  assert.equal(readClientDocument('[]', ID), undefined);
});

test('a client ID opens only for its own account, and only as it was signed', () => {
  const tokens = createTokenSealer({ current: 'a secret of the service', previous: [] });
  const registered = { redirectUris: ['https://a.example/cb'], name: 'A', method: 'none' };
  const id = registerDynamicClient(tokens, 'acc_1', registered, AT)?.clientId ?? '';
  assert.deepEqual(openDynamicClient(tokens, 'acc_1', id)?.redirectUris, registered.redirectUris);
  assert.equal(openDynamicClient(tokens, 'acc_2', id), undefined);
  const several = {
    ...registered,
    redirectUris: ['https://a.example/cb', 'https://b.example/', 'http://127.0.0.1/cb'],
  };
  const other = registerDynamicClient(tokens, 'acc_1', several, AT)?.clientId ?? '';
  const hostAt = (redirectUri?: string) => openDynamicClient(tokens, 'acc_1', other, redirectUri)?.host;
  assert.deepEqual(
    [undefined, 'https://b.example/', 'http://127.0.0.1:9/cb', 'https://b.example/x', 'no URL'].map(hostAt),
    ['a.example', 'b.example', null, null, null],
  );
  const [head = '', payload = '', signature = ''] = id.split('.');
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('a.example', 'b.example'));
  for (const text of [`${head}.${forged.toString('base64url')}.${signature}`, `${id}.x`, 'dyn.', 'dyn..', `${id}x`]) {
    assert.equal(openDynamicClient(tokens, 'acc_1', text), undefined, text);
  }
});
