import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import type { Http } from '../http/http.ts';
import { acceptJson } from '../http/json-body.ts';
import { parseRequest } from '../http/parse-request.ts';
import { boundBodies } from './request-bodies.hook.ts';

const http = Fastify({ bodyLimit: 1024 }) as unknown as Http;
acceptJson(http);
http.addHook('preValidation', (request, _reply, done) => done(parseRequest(request)));
boundBodies(http);
// Delays the response until the whole body has arrived, as paced errors do.
http.addHook('onSend', ({ raw }, _reply, payload, done) => {
  raw.once('end', () => done(null, payload));
});
http.post('/', { config: { public: true } }, async () => ({}));
const port = Number(new URL(await http.listen({ host: '127.0.0.1', port: 0 })).port);
after(() => http.close());

for (const [type, status] of Object.entries({ 'text/plain': '415', 'application/json': '413' }))
  test(`a body that goes on after its ${status}, past every bound, ends no process`, async () => {
    const socket = connect(port, '127.0.0.1');
    after(() => socket.destroy());
    const length = 16 * 1024 * 1024;
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    socket.write(`${length.toString(16)}\r\n${'['.repeat(length)}\r\n0\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    assert.equal(String(answer).slice(9, 12), status);
  });
