import Fastify from 'fastify';

/** Larger than the processor's caches; bodies are sliced from it. */
const POOL = Buffer.alloc(64 << 20, 'a');

/** Upper bound of this machine: a bare HTTP route that cycles through bodies of the given lengths. */
process.once('message', async (lengths: number[]) => {
  let at = 0;
  const buffers = lengths.map((length) => {
    if (at + length > POOL.length) at = 0;
    at += length;
    return POOL.subarray(at - length, at);
  });
  let next = 0;
  const http = Fastify();
  http.get('/*', (_request, reply) => {
    next = (next + 1) % buffers.length;
    reply.header('content-type', 'application/json; charset=utf-8').send(buffers[next]);
  });
  process.send?.({ url: await http.listen({ host: '127.0.0.1', port: 0 }) });
});
process.once('disconnect', () => process.exit(0));
