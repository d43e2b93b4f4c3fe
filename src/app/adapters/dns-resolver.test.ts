import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { createDnsResolver } from './dns-resolver.ts';

const TYPE = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
/** Long enough that only the test's own clock ends a wait. */
const TIMEOUT_MS = 600_000;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;

test('DNS', async (t) => {
  const lookUp = await givenNameServer(t, {
    'A pizza.example': [Buffer.from([203, 0, 113, 9]), Buffer.from([203, 0, 113, 10])],
    'AAAA pizza.example': [Buffer.from('20010db8000000000000000000000009', 'hex')],
    'CNAME bounce.pizza.example': [nameBytes('Bounce.Service.Example')],
    'TXT pizza.example': [textBytes('v=spf1 ', 'include:service.example'), textBytes('other')],
    'A broken.example': SERVER_FAILURE,
    'A gone.example': NO_SUCH_NAME,
  });

  await t.test('tells addresses, names in lower case, and texts in one piece each', async () => {
    assert.deepEqual([...(await lookUp('A', 'pizza.example'))].sort(), ['203.0.113.10', '203.0.113.9']);
    assert.deepEqual(await lookUp('AAAA', 'pizza.example'), ['2001:db8::9']);
    assert.deepEqual(await lookUp('CNAME', 'bounce.pizza.example'), ['bounce.service.example']);
    assert.deepEqual(await lookUp('TXT', 'pizza.example'), ['v=spf1 include:service.example', 'other']);
  });

  await t.test('a name, or a type under it, that does not exist is no record', async () => {
    assert.deepEqual(await lookUp('A', 'gone.example'), []);
    assert.deepEqual(await lookUp('CNAME', 'pizza.example'), []);
  });

  await t.test('a name server that fails is no answer', async () => {
    await assert.rejects(lookUp('A', 'broken.example'), isNoAnswer);
  });

  await t.test('a silent name server is treated as no response in time', { timeout: 120_000 }, async (t) => {
    const queried = Promise.withResolvers<void>();
    const silent = await givenNameServer(t, queried.resolve);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const answer = assert.rejects(silent('A', 'pizza.example'), isNoAnswer);
    await queried.promise;
    t.mock.timers.tick(TIMEOUT_MS);
    await answer;
  });
});

function isNoAnswer(error: unknown): boolean {
  return (
    error instanceof OutsideError && error.retryable && /^DNS did not respond for \S+ \(\w+\)\.$/.test(error.message)
  );
}

type Records = Record<string, readonly Buffer[] | number>;

/**
 * A name server on loopback with these records or error codes. With a function, it passes queries to it and never
 * answers.
 */
async function givenNameServer(t: TestContext, records: Records | (() => void)) {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    if (typeof records === 'function') records();
    else socket.send(answerTo(query, records), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => new Promise<void>((closed) => socket.close(closed)));
  return createDnsResolver({ servers: [`127.0.0.1:${localPort(socket)}`], timeoutMs: TIMEOUT_MS });
}

const localPort = (socket: Socket): number => socket.address().port;

/** Repeats the question and adds its records, in the wire format of RFC 1035. */
function answerTo(query: Buffer, records: Records): Buffer {
  const { name, type, end } = questionOf(query);
  const known = records[`${type} ${name}`] ?? [];
  const [code, data] = typeof known === 'number' ? [known, []] : [0, known];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(data.length, 6);
  const answers = data.map((bytes) => {
    const head = Buffer.from('c00c000000010000003c0000', 'hex');
    head.writeUInt16BE(TYPE[type], 2);
    head.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([head, bytes]);
  });
  return Buffer.concat([header, query.subarray(12, end), ...answers]);
}

function questionOf(query: Buffer): { name: string; type: keyof typeof TYPE; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const queried = query.readUInt16BE(at + 1);
  const [type] = Object.entries(TYPE).find(([, number]) => number === queried) ?? ['A'];
  return { name: labels.join('.').toLowerCase(), type: type as keyof typeof TYPE, end: at + 5 };
}

const nameBytes = (name: string): Buffer => Buffer.concat([textBytes(...name.split('.')), Buffer.alloc(1)]);

const textBytes = (...pieces: string[]): Buffer =>
  Buffer.concat(pieces.flatMap((piece) => [Buffer.from([piece.length]), Buffer.from(piece, 'latin1')]));
