import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { givenCounters } from '../../../test/given/counters.ts';
import { until } from '../../../test/until.ts';
import { UnreadableRequests } from '../http/unreadable-request.ts';
import { parseNetworks } from '../lib/networks.ts';
import { ConnectionLimiter } from './connections.ts';

const BOUNDS = { proxy: 4, single: 1, shared: 2 };
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

const unreadable = new UnreadableRequests();
const { own: peers, peer, forgetPeer } = givenCounters();
const responses: ServerResponse[] = [];
const connections = new ConnectionLimiter({
  // 127.0.0.2 is a declared proxy; all other addresses of this machine may be proxies.
  ...{
    trustProxy: parseNetworks('127.0.0.2') ?? [],
    isIdle: (socket) => unreadable.isIdle(socket),
    peers,
    bounds: BOUNDS,
  },
});
const server = createServer((request, response) => {
  if (connections.takes(request, response)) responses.push(response);
});
const clients: Socket[] = [];
before(async () => {
  unreadable.answerOn(server);
  connections.listenTo(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await until('every connection is gone', () => countOpen().then((open) => open === 0));
  responses.length = 0;
});
after(() => server.close());

const countOpen = () => new Promise<number>((done) => server.getConnections((_error, count) => done(count)));

/** Opens a connection from an address of this machine; resolves once the server has accepted it. */
async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const arrived = once(server, 'connection');
  const client = connect({ port, host: '127.0.0.1', localAddress });
  client.on('error', () => {});
  clients.push(client);
  await arrived;
  return client;
}

/** Opens a connection with a request in progress. */
async function openBusy(localAddress?: string): Promise<Socket> {
  const client = await open(localAddress);
  const requested = once(server, 'request');
  client.write(REQUEST);
  await requested;
  return client;
}

async function readAnswer(client: Socket): Promise<string> {
  let text = '';
  client.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  await once(client, 'close');
  return text;
}

test('a client beyond its bound loses its oldest connection without a request', async () => {
  const [waiting, slow] = [await open(), await open()];
  slow.write(REQUEST.slice(0, 20));
  const closed = once(waiting.resume(), 'close');
  await openBusy();
  await closed;
  const slowClosed = once(slow.resume(), 'close');
  await openBusy();
  await slowClosed;
});

test('a client whose connections all have a request is refused with 503, and another client is let in', async () => {
  await openBusy();
  await openBusy();
  const refused = await open();
  refused.write(REQUEST);
  const answer = await readAnswer(refused);
  assert.match(answer, /^HTTP\/1\.1 503 Service Unavailable\r\n/);
  assert.match(answer, /\r\nretry-after: 1\r\n/);
  assert.match(answer, /"code":"not_ready"/);
  assert.equal(responses.length, 2);
  await openBusy('127.0.0.3');
  responses[0]?.end('done');
  await until('an answer is written', () => responses[0]?.writableFinished === true);
  await openBusy();
});

test('a declared proxy has the whole room, and no more', async () => {
  for (let n = 0; n < BOUNDS.proxy; n += 1) await openBusy('127.0.0.2');
  assert.match(await readAnswer(await open('127.0.0.2')), /^HTTP\/1\.1 503 /);
});

test('a full server lets a new client in by the oldest connection without a request of any other', async () => {
  const waiting = await open('127.0.0.2');
  for (let n = 1; n < BOUNDS.proxy; n += 1) await openBusy('127.0.0.2');
  const closed = once(waiting.resume(), 'close');
  await openBusy('127.0.0.4');
  await closed;
});

test('connections at another process of the service count in the same bounds, until that process ends', async () => {
  peer.set('connections of 127.0.0.1', 1);
  await openBusy();
  assert.match(await readAnswer(await open()), /^HTTP\/1\.1 503 /);
  await openBusy('127.0.0.3');
  peer.set('connections', BOUNDS.proxy - 2);
  assert.match(await readAnswer(await open('127.0.0.4')), /^HTTP\/1\.1 503 /);
  forgetPeer();
  await openBusy();
});

test('the peers know how many connections each client has', async () => {
  const ofClient = () => peer.ofPeers('connections of 127.0.0.5').sum;
  const client = await openBusy('127.0.0.5');
  await until('told', () => ofClient() === 1 && peer.ofPeers('connections').sum >= 1);
  client.destroy();
  await until('taken back', () => ofClient() === 0);
});
