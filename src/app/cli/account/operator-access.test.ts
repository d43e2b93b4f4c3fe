import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Type } from 'typebox';
import { Refusal } from '../../../platform/http/refusal.ts';
import { CommandFailure } from '../failure.ts';
import { operatorAccess, requestOperation } from './operator-access.ts';

const KEY = 'ds_op_0123456789abcdefghijklmnopqrstuv';
const SET = { endpoint: 'POST /operator/things/:thing_id/switch', answer: Type.Object({ ok: Type.Boolean() }) };

async function givenServer(t: TestContext, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['id-token']}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests };
}

const json = (status: number, document: unknown) => (_request: IncomingMessage, response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));

test('a redirect isn’t followed, so the key reaches only DOORSTEP_URL’s service', async (t) => {
  const other = await givenServer(t, json(200, { ok: true }));
  const service = await givenServer(t, (_request, response) =>
    response.writeHead(307, { location: `${other.url}/elsewhere` }).end(),
  );
  const sent = requestOperation({ url: service.url, key: KEY }, SET, { params: { thing_id: 'a' } });
  await assert.rejects(sent, /answered 307/);
  assert.deepEqual([service.requests.length, other.requests], [1, []]);
});

test('an ID stays one path segment, and an ID that would leave it is unknown', async (t) => {
  const service = await givenServer(t, json(200, { ok: true }));
  const send = (thing_id: string) => requestOperation({ url: service.url, key: KEY }, SET, { params: { thing_id } });
  for (const id of ['', '.', '..']) {
    await assert.rejects(send(id), (error) => error instanceof Refusal && error.code === 'not_found', id);
  }
  assert.deepEqual(service.requests, []);
  await send('../a?b#c');
  assert.deepEqual(service.requests, [`POST /operator/things/..%2Fa%3Fb%23c/switch ${KEY}`]);
});

test('an error is stated once, and a path no service of this version handles is a failure', async (t) => {
  const detail = 'name is required.';
  const errors = [{ in: 'body', name: 'name', message: 'is required' }];
  const answers: [ReturnType<typeof json>, (error: Error) => boolean][] = [
    [json(400, { code: 'invalid_request', detail, errors }), (error) => error instanceof Refusal],
    [json(400, { code: 'toString', detail }), (error) => error instanceof CommandFailure],
  ];
  for (const [answer, isExpected] of answers) {
    const { url } = await givenServer(t, answer);
    const sent = requestOperation({ url, key: KEY }, SET, { params: { thing_id: 'a' } });
    await assert.rejects(sent, (error: Error) => isExpected(error) && error.message === detail);
  }
  const { url } = await givenServer(t, (_request, response) => response.end('<html>'));
  const sent = requestOperation({ url, key: KEY }, SET, { params: { thing_id: 'a' } });
  await assert.rejects(sent, /answered 200, but not as this version of Doorstep does/);
});

test('a key that no header can have is refused before a request', () => {
  assert.equal(operatorAccess({ DOORSTEP_KEY: ` ${KEY}\n` })?.key, KEY);
  assert.equal(operatorAccess({ DOORSTEP_KEY: 'ds_test_1' }), undefined);
  for (const key of [`${KEY}\nx: y`, `${KEY}é`]) {
    assert.throws(() => operatorAccess({ DOORSTEP_KEY: key }), /characters that no API key contains/);
  }
});
