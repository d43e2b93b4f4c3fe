import Fastify from 'fastify';

/** What the machine could do at best: a bare route that answers with given bytes, one after the other. */
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
