import { connect } from 'node:net';
import type { Orders, Placed, Shopper } from './client.ts';

/** Places orders over plain sockets: it parses little, so it leaves most of the shared machine to the server. */
process.on('message', (orders: Orders) => {
  placeAll(orders).then(
    (placed) => process.send?.(placed),
    (error) => process.send?.({ fault: String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
process.send?.({});

const HEAD_END = '\r\n\r\n';
let placed = 0;

async function placeAll(orders: Orders): Promise<Placed> {
  const startMs = performance.now();
  const runs = Array.from({ length: orders.connections }, () => placeInTurn(orders));
  const latenciesMs = (await Promise.all(runs)).flat();
  return { seconds: (performance.now() - startMs) / 1000, latenciesMs };
}

async function placeInTurn({ url, shoppers, ...orders }: Orders): Promise<number[]> {
  const { post, end } = await openConnection(url);
  const latenciesMs: number[] = [];
  const endMs = performance.now() + orders.ms;
  while (latenciesMs.length < orders.rounds) {
    const startMs = performance.now();
    if (startMs >= endMs) break;
    placed += 1;
    await post('/order/order/v2', shoppers[placed % shoppers.length] as Shopper);
    latenciesMs.push(performance.now() - startMs);
  }
  end();
  return latenciesMs;
}

/** A connection that carries one request at a time. */
async function openConnection(url: string) {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.setEncoding('utf8');
  let answered: { resolve: () => void; reject: (error: Error) => void } | undefined;
  let text = '';
  socket.on('error', (error) => answered?.reject(error));
  socket.on('close', () => answered?.reject(new Error('The connection was closed.')));
  socket.on('data', (data: string) => {
    text += data;
    const bodyAt = text.indexOf(HEAD_END) + HEAD_END.length;
    if (bodyAt < HEAD_END.length) return;
    const bytes = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    const body = text.slice(bodyAt);
    if (Buffer.byteLength(body) < bytes) return;
    const head = text.slice(0, bodyAt);
    text = '';
    const waiting = answered;
    answered = undefined;
    if (head.startsWith('HTTP/1.1 200')) waiting?.resolve();
    else waiting?.reject(new Error(`${head.slice(9, 12)}: ${body}`));
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  const head = `host: ${host}\r\ncontent-type: application/json\r\n`;
  return {
    post(path: string, { key, body }: Shopper): Promise<void> {
      const length = Buffer.byteLength(body);
      socket.write(`POST ${path} HTTP/1.1\r\n${head}id-token: ${key}\r\ncontent-length: ${length}${HEAD_END}${body}`);
      return new Promise((resolve, reject) => {
        answered = { resolve, reject };
      });
    },
    end: () => void socket.end(),
  };
}
