import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTokenSealer } from '../../platform/lib/tokens.ts';
import {
  dynamicClientId,
  isDocumentUrl,
  isRedirect,
  isWebRedirect,
  openDynamicClient,
  readClientDocument,
  takesRedirect,
} from './client.ts';

const ID = 'https://chat.example/client.json';

test('a redirect matches to the letter; a device of the customer has any port', () => {
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

test('redirects are https, of the device, or of an app’s own scheme; none can carry a script or end a header', () => {
  for (const uri of ['https://a.example/cb?x=1', 'http://127.0.0.1:80/', 'http://localhost/x', 'com.example.app:/cb']) {
    assert.ok(isRedirect(uri), uri);
  }
  for (const uri of [
    'javascript:alert(1)',
    'data:text/html,x',
    'http://a.example/cb',
    'https://a.example/cb#x',
    'https://u@a.example/',
    'https://a.example/\r\nx: y',
    'https://a.example/ x',
    "https://a;script-src 'self'.example/",
    'https://a;b.example/',
    'app:/cb',
    'com.example.app:cb',
  ]) {
    assert.ok(!isRedirect(uri), uri);
  }
  assert.ok(!isWebRedirect('com.example.app:/cb'));
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

test('a registration opens for its account alone, and no text that was not signed', () => {
  const tokens = createTokenSealer({ current: 'a secret of the service', previous: [] });
  const registered = { redirectUris: ['https://a.example/cb'], name: 'A', method: 'none' };
  const id = dynamicClientId(tokens, 'acc_1', registered, Temporal.Instant.from('2026-06-10T17:00:00Z')) ?? '';
  assert.deepEqual(openDynamicClient(tokens, 'acc_1', id)?.redirectUris, registered.redirectUris);
  assert.equal(openDynamicClient(tokens, 'acc_2', id), undefined);
  const several = {
    ...registered,
    redirectUris: ['https://a.example/cb', 'https://b.example/', 'http://127.0.0.1/cb'],
  };
  const other = dynamicClientId(tokens, 'acc_1', several, Temporal.Instant.from('2026-06-10T17:00:00Z')) ?? '';
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
