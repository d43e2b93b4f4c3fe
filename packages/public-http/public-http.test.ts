import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { type Answerer, givenReceiver } from '../../test/given/receiver.ts';
import { holdTimeOuts, nextAnswerBegun } from '../../test/time-outs.ts';
import { nextTurn } from '../../test/until.ts';
import { createPublicHttp, type HttpAnswer } from './public-http.ts';

/** Long enough that only the test's own clock ends a wait. */
const TIMEOUT_MS = 600_000;
const DRIP_MS = 10;
const REQUEST = { headers: { 'content-type': 'application/json', 'x-mark': 'yes' }, body: '{"a":"é"}' };

const ends: (() => unknown)[] = [];
after(() => Promise.all(ends.map((end) => end())));

function givenHttp(resolveName = async () => ['127.0.0.1']) {
  const http = createPublicHttp({ allowPrivate: true, timeoutMs: TIMEOUT_MS, resolveName });
  ends.push(() => http.close());
  return http;
}

async function given(answer?: Answerer) {
  const receiver = await givenReceiver(answer);
  ends.push(() => receiver.close());
  return receiver;
}

/** A raw TCP server that does not speak HTTP. */
async function givenRaw(talk: (socket: Socket, first: Buffer) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', (first: Buffer) => talk(socket, first));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((done) => server.close(done));
  };
  ends.push(close);
  return { port, close };
}

/** A server that keeps sending chunks; `dripping` resolves after the first ones. */
async function givenDrip(pieceAt: (at: number) => string) {
  const dripping = Promise.withResolvers<void>();
  const { port } = await givenRaw((socket) => {
    let at = 0;
    const drip = setInterval(() => {
      socket.write(pieceAt(at));
      at += 1;
      if (at === 10) dripping.resolve();
    }, DRIP_MS);
    socket.on('close', () => clearInterval(drip));
  });
  return { port, dripping: dripping.promise };
}

/** Posts to a slow receiver and asserts that nothing is reported before it is `stuck` and the deadline passes. */
async function answerAtTheEnd(t: TestContext, url: string, stuck: Promise<unknown>): Promise<HttpAnswer | 'early'> {
  const timeOuts = holdTimeOuts(t);
  const answer = givenHttp().post(url, REQUEST);
  const isEarly = async () => (await Promise.race([answer, nextTurn()])) !== undefined;
  await stuck;
  timeOuts.pass(TIMEOUT_MS - 1);
  if (await isEarly()) return 'early';
  timeOuts.pass(1);
  return answer;
}

test('posts the body and the headers as given, and tells the status', async () => {
  const receiver = await given((_call, response) => response.writeHead(201).end('thanks'));
  assert.deepEqual(await givenHttp().post(`${receiver.url}/in?x=1`, REQUEST), { status: 201 });
  const [call] = receiver.calls;
  assert.deepEqual([call?.path, call?.body, call?.headers['x-mark']], ['/in?x=1', REQUEST.body, 'yes']);
});

for (const status of [200, 204, 301, 307, 400, 410, 429, 500, 503]) {
  test(`an answer of ${status} is told as it is`, async () => {
    const receiver = await given((_call, response) => response.writeHead(status).end());
    assert.deepEqual(await givenHttp().post(receiver.url, REQUEST), { status });
  });
}

test('redirects are not followed', async () => {
  const canary = await given();
  const receiver = await given((_call, response) => response.writeHead(302, { location: canary.url }).end());
  assert.deepEqual(await givenHttp().post(receiver.url, REQUEST), { status: 302 });
  assert.equal(canary.connections(), 0);
});

test('an endpoint that hangs is left when the time is up', { timeout: 120_000 }, async (t) => {
  const called = Promise.withResolvers<void>();
  const receiver = await given(() => called.resolve());
  assert.deepEqual(await answerAtTheEnd(t, receiver.url, called.promise), { failure: 'timeout' });
});

test('headers that drip in one byte a time are left when the time is up', { timeout: 120_000 }, async (t) => {
  const head = 'HTTP/1.1 200 OK\r\nx-long: ';
  const { port, dripping } = await givenDrip((at) => head[at] ?? 'y');
  const answer = await answerAtTheEnd(t, `http://127.0.0.1:${port}/`, dripping);
  assert.deepEqual(answer, { failure: 'timeout' });
});

test('informational answers without end are left when the time is up', { timeout: 120_000 }, async (t) => {
  const { port, dripping } = await givenDrip(() => 'HTTP/1.1 102 Processing\r\n\r\n');
  const answer = await answerAtTheEnd(t, `http://127.0.0.1:${port}/`, dripping);
  assert.deepEqual(answer, { failure: 'timeout' });
});

test('a body that drips in is left when the time is up; the status had come', { timeout: 120_000 }, async (t) => {
  const receiver = await given((_call, response) => {
    response.writeHead(200, { 'content-length': '100000' });
    const drip = setInterval(() => response.write('x'), DRIP_MS);
    response.on('close', () => clearInterval(drip));
  });
  assert.deepEqual(await answerAtTheEnd(t, receiver.url, nextAnswerBegun()), { status: 200 });
});

test('reading a 100 MB response stops after 64 KiB and the bytes in flight', async (t) => {
  // The clock stands still, so the timeout can't end it.
  holdTimeOuts(t);
  let sentBytes = 0;
  const closed = Promise.withResolvers<void>();
  const chunk = Buffer.alloc(64 * 1024);
  const receiver = await given((_call, response, socket) => {
    response.writeHead(200, { 'content-length': String(100 * 1024 * 1024) });
    const more = () => {
      while (sentBytes < 100 * 1024 * 1024 && !response.destroyed) {
        sentBytes += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
    };
    socket.on('close', () => closed.resolve());
    more();
  });
  const answer = await givenHttp().post(receiver.url, REQUEST);
  await closed.promise;
  assert.deepEqual(answer, { status: 200 });
  assert.ok(sentBytes < 20 * 1024 * 1024, `${sentBytes} bytes`);
});

test('a connection that is reset, refused or ends at once is a failure in a word', async () => {
  const { port: resetting } = await givenRaw((socket) => socket.resetAndDestroy());
  const { port: ending } = await givenRaw((socket) => socket.end());
  const { port: talking } = await givenRaw((socket) => socket.end('I am no web server\r\n'));
  const gone = await givenRaw(() => {});
  await gone.close();
  const http = givenHttp();
  const failures = [];
  for (const port of [resetting, ending, talking]) failures.push(await http.post(`http://127.0.0.1:${port}/`, REQUEST));
  assert.deepEqual(failures, [
    { failure: 'ECONNRESET' },
    { failure: 'ECONNRESET' },
    { failure: 'HPE_INVALID_CONSTANT' },
  ]);
  assert.deepEqual(await http.post(`http://127.0.0.1:${gone.port}/`, REQUEST), { failure: 'ECONNREFUSED' });
});

test('oversized headers and an unrequested upgrade are failures', async () => {
  const header = `x-long: ${'y'.repeat(8000)}\r\n`;
  const { port: long } = await givenRaw((socket) => socket.write(`HTTP/1.1 200 OK\r\n${header.repeat(10)}`));
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
  const { port: upgrading } = await givenRaw((socket) => socket.write(upgrade));
  const answers: HttpAnswer[] = [];
  for (const port of [long, upgrading]) {
    answers.push(await givenHttp().post(`http://127.0.0.1:${port}/`, REQUEST));
  }
  assert.ok(
    answers.every((answer) => 'failure' in answer),
    JSON.stringify(answers),
  );
});

test('calls one after the other share a connection', async () => {
  const receiver = await given();
  const http = givenHttp();
  for (let n = 0; n < 5; n += 1) assert.deepEqual(await http.post(receiver.url, REQUEST), { status: 204 });
  assert.equal(receiver.connections(), 1);
});

test('a kept connection that the other side has closed meanwhile costs no attempt', async () => {
  let calls = 0;
  const receiver = await given((_call, response, socket) => {
    calls += 1;
    // Resets the connection on its second call, as if it had gone stale.
    if (calls === 2) socket.resetAndDestroy();
    else response.writeHead(204).end();
  });
  const http = givenHttp();
  assert.deepEqual(await http.post(receiver.url, REQUEST), { status: 204 });
  assert.deepEqual(await http.post(receiver.url, REQUEST), { status: 204 });
  assert.deepEqual([calls, receiver.connections()], [3, 2]);
});

test('connects to the address that was looked up, and names the host in Host and SNI', async () => {
  const receiver = await given();
  const port = new URL(receiver.url).port;
  const queried: string[] = [];
  const http = givenHttp(async (...[name]: string[]) => {
    queried.push(String(name));
    return ['127.0.0.1'];
  });
  assert.deepEqual(await http.post(`http://hooks.example.com:${port}/`, REQUEST), { status: 204 });
  assert.deepEqual([queried, receiver.calls[0]?.headers.host], [['hooks.example.com'], `hooks.example.com:${port}`]);

  const hello = Promise.withResolvers<Buffer>();
  const { port: tls } = await givenRaw((socket, first) => {
    hello.resolve(first);
    socket.destroy();
  });
  await http.post(`https://hooks.example.com:${tls}/`, REQUEST);
  assert.ok((await hello.promise).includes('hooks.example.com'), 'the client hello names the host');
});
