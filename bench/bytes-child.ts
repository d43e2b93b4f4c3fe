import Fastify from 'fastify';

/** The upper bound of this machine: a bare route that answers with given bodies in turn. */
process.once('message', async (bodies: string[]) => {
  const buffers = bodies.map((body) => Buffer.from(body, 'base64'));
  let next = 0;
  const http = Fastify();
  http.get('/*', (_request, reply) => {
    next = (next + 1) % buffers.length;
    reply.header('content-type', 'application/json; charset=utf-8').send(buffers[next]);
  });
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.send?.({ url: await http.listen({ host: '127.0.0.1', port: 0 }) });
});
process.once('disconnect', () => process.exit(0));
