import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { cleanUp, freshDataDir, open, servers, socketOf } from '../faults/embedded-postgres-harness.ts';
import { givenTcpProxy } from '../given/tcp-proxy.ts';
import { checkSoak, settle } from './shop/check-soak.ts';
import { createSummary, tell } from './shop/figures.ts';
import { givenSoak } from './shop/given-soak.ts';
import { type Outage, startClients, throughOutage } from './shop/through-outage.ts';

/**
 * Makes a service's database unavailable and available again: SIGSTOP to its processes, a network that drops every
 * packet, a server restart. `node test/soak/database.ts [--rounds 1] [--seconds 60] [--seed N]`.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
  },
});
const SECONDS = Number(values.seconds);
const SEED = Number(values.seed ?? randomInt(1_000_000));

const summary = createSummary(`database, ${values.rounds} rounds of ${SECONDS} s, --seed ${SEED}`);
const dataDir = freshDataDir();
let server = await open(dataDir);
const proxy = await givenTcpProxy(socketOf(dataDir));
const url = new URL(server.connectionString);
url.host = `127.0.0.1:${proxy.port}`;
url.searchParams.delete('host');
const serviceDir = freshDataDir();
const directUrl = () => server.connectionString;
const soak = await givenSoak(serviceDir, SEED, { databaseUrl: url.href, directUrl });

const signalAll = (signal: NodeJS.Signals) => {
  for (const pid of servers(dataDir)) process.kill(pid, signal);
};
const outages: Outage[] = [
  {
    name: 'a frozen server',
    seconds: SECONDS,
    begin: async () => signalAll('SIGSTOP'),
    end: async () => signalAll('SIGCONT'),
  },
  { name: 'a silent network', seconds: SECONDS, begin: async () => proxy.hold(), end: async () => proxy.resume() },
  {
    name: 'a stopped server',
    seconds: SECONDS,
    begin: () => server.close(),
    end: async () => {
      server = await open(dataDir);
    },
  },
];

try {
  const clients = startClients(soak, summary);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const outage of outages) await throughOutage(soak, outage, summary);
  }
  await clients.end();
  tell('settling');
  await soak.world.service?.stop();
  const where = { dataDir: serviceDir, connectionString: server.connectionString };
  await settle(soak, where, summary);
  await checkSoak(soak, where, summary);
  await soak.world.service?.stop();
  summary.print();
} finally {
  signalAll('SIGCONT');
  await soak.close();
  await proxy.close();
  await server.close();
  cleanUp();
}
