import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { INSIDE_NAMES, PUBLIC_URLS, resolveHostile, ssrfUrls } from '../../test/fakes/ssrf-cases.ts';
import { holdTimeOuts } from '../../test/time-outs.ts';
import { createPublicHttp, type PublicHttp } from './public-http.ts';

const PUBLIC = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'];
const REQUEST = { headers: { 'content-type': 'application/json' }, body: '{}' };
/** Tests must not reach public addresses, so these calls only need to end. */
const TIMEOUT_MS = 200;

let connections = 0;
const count = () => {
  connections += 1;
};

const first = createServer(count);
await new Promise<void>((done) => first.listen(0, '127.0.0.1', done));
const port = (first.address() as { port: number }).port;
const second = createServer(count);
// A machine without IPv6 has one loopback address less to test.
await new Promise<void>((done) => second.on('error', () => done()).listen(port, '::1', done));
const canaries = [first, second];
after(() => {
  for (const canary of canaries) canary.close();
});

/** The sentence that refuses a URL, or `allowed`. */
async function checkRefusal(http: PublicHttp, url: string): Promise<string> {
  const check = await http.checkUrl(url);
  return 'refusal' in check ? check.refusal : 'allowed';
}

test('hundreds of hostile URLs are refused when named and again when called, without a single connection', async () => {
  const http = createPublicHttp({ allowPrivate: false, resolveName: resolveHostile });
  const urls = ssrfUrls(port);
  assert.ok(urls.length >= 150, `${urls.length} URLs`);
  for (const url of urls) {
    assert.match(await checkRefusal(http, url), /^The (endpoint|host name) .*\.$/, url);
    assert.deepEqual(await http.post(url, REQUEST), { failure: 'endpoint not allowed' }, url);
  }
  assert.equal(connections, 0);
});

test('an error reveals nothing about the address a name resolves to', async () => {
  const http = createPublicHttp({ allowPrivate: false, resolveName: resolveHostile });
  for (const url of ssrfUrls(port)) {
    assert.doesNotMatch(await checkRefusal(http, url), /\d+\.\d+\.\d+|::|attacker/, url);
  }
});

test('names of the inside are refused even where a name server calls them public', async () => {
  const http = createPublicHttp({ allowPrivate: false, resolveName: async () => PUBLIC });
  for (const name of INSIDE_NAMES) assert.notEqual(await checkRefusal(http, `https://${name}/`), 'allowed', name);
});

test('public URLs are allowed, international names too', async () => {
  const http = createPublicHttp({ allowPrivate: false, resolveName: async () => PUBLIC });
  for (const url of PUBLIC_URLS) assert.equal(await checkRefusal(http, url), 'allowed', url);
  const plain = { url: 'https://xn--bcher-kva.example/A?b', isFound: true };
  assert.deepEqual(await http.checkUrl('https://BÜCHER.example:443/A?b#c'), plain);
});

test('a name without an address may be named, and no call of it is made', async () => {
  for (const resolveName of [async () => [], () => Promise.reject(new Error('no name server'))]) {
    for (const allowPrivate of [false, true]) {
      const http = createPublicHttp({ allowPrivate, resolveName });
      const url = `https://nowhere.example:${port}/`;
      assert.deepEqual(await http.checkUrl(url), { url, isFound: false });
      assert.deepEqual(await http.post(url, REQUEST), { failure: 'host not found' });
      assert.equal((await checkRefusal(http, `https://user@nowhere.example:${port}/`)) === 'allowed', false);
    }
  }
  assert.equal(connections, 0);
});

test('a name that leads elsewhere after it was allowed is refused at the call', async () => {
  let queries = 0;
  const resolveName = async () => {
    queries += 1;
    return queries === 1 ? PUBLIC : ['127.0.0.1'];
  };
  const http = createPublicHttp({ allowPrivate: false, resolveName });
  const url = `https://rebinding.example:${port}/`;
  assert.equal(await checkRefusal(http, url), 'allowed');
  assert.deepEqual(await http.post(url, REQUEST), { failure: 'endpoint not allowed' });
  assert.equal(connections, 0);
});

test('a host name is resolved once per call, so a later rebinding has no effect', async () => {
  let queries = 0;
  const resolveName = async () => {
    queries += 1;
    return queries === 1 ? PUBLIC : ['127.0.0.1'];
  };
  const http = createPublicHttp({ allowPrivate: false, resolveName, timeoutMs: TIMEOUT_MS });
  const answer = await http.post(`https://rebinding.example:${port}/`, REQUEST);
  assert.ok('failure' in answer && answer.failure !== 'endpoint not allowed', JSON.stringify(answer));
  assert.deepEqual([queries, connections], [1, 0]);
});

test('a name server that does not answer holds a call no longer than its time', async (t) => {
  const timeOuts = holdTimeOuts(t);
  const http = createPublicHttp({ allowPrivate: false, resolveName: () => new Promise(() => {}) });
  const answer = http.post('https://silent.example/', REQUEST);
  timeOuts.pass(10_000);
  assert.deepEqual(await answer, { failure: 'timeout' });
});
