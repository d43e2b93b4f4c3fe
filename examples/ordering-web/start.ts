import { spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
// In an app of your own: from 'doorstep-client'.
import { createClient } from '../../clients/typescript/src/main.ts';
import { createShop } from './shop.ts';

const DOORSTEP = join(import.meta.dirname, '../../bin/doorstep');

/** `ended` has the exit status of a demo that ends; a service that ran before never ends here. */
type Service = { url: string; key: string; stop(): void; ended: Promise<number> };

/**
 * `npm run example`: the shop at EXAMPLE_PORT (3000 where absent), on the service of DOORSTEP_URL and DOORSTEP_KEY where
 * both are set, and else on a demo of its own, which ends with the shop.
 */
const { DOORSTEP_URL, DOORSTEP_KEY, EXAMPLE_PORT = '3000' } = process.env;
const service: Service = DOORSTEP_URL && DOORSTEP_KEY ? runningService(DOORSTEP_URL, DOORSTEP_KEY) : await startDemo();
const shop = createShop(createClient({ baseUrl: service.url, key: service.key }));
shop.listen(Number(EXAMPLE_PORT), '127.0.0.1', () => {
  process.stdout.write(`The shop is open on http://127.0.0.1:${(shop.address() as AddressInfo).port}\n`);
});
shop.on('error', (error) => {
  process.stderr.write(`The shop cannot open: ${error.message}\n`);
  process.exitCode = 1;
  service.stop();
});
service.ended.then((status) => {
  process.exitCode = status;
  closeShop();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    service.stop();
    closeShop();
  });
}

function closeShop(): void {
  shop.close();
  shop.closeAllConnections();
}

function runningService(url: string, key: string): Service {
  return { url, key, stop: () => {}, ended: new Promise(() => {}) };
}

/** The demo at a free port, whose simulated store and courier take a step every 4 seconds. */
async function startDemo(): Promise<Service> {
  const child = spawn(process.execPath, [DOORSTEP, 'demo', '--json'], {
    env: { SANDBOX_PACE: '4', LOG_LEVEL: 'warn', PORT: await freePort(), ...process.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number>((done) => child.once('exit', (status) => done(status ?? 1)));
  let text = '';
  for await (const line of createInterface({ input: child.stdout })) {
    text += line;
    if (line.endsWith('}')) break;
  }
  if (text === '') process.exit(await ended);
  const { url, key } = JSON.parse(text) as { url: string; key: string };
  return { url, key, stop: () => child.kill('SIGTERM'), ended };
}

/** A port that was free a moment ago: links of the demo name its port, so the demo must know the port before it starts. */
async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return String(port);
}
