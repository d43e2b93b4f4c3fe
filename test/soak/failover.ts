import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cleanUp, freshDataDir } from '../faults/embedded-postgres-harness.ts';
import { givenTcpProxy } from '../given/tcp-proxy.ts';
import { until } from '../until.ts';
import { checkSoak, settle } from './shop/check-soak.ts';
import { createSummary, tell } from './shop/figures.ts';
import { givenPatroni, type PatroniNode, urlOf } from './shop/given-patroni.ts';
import { givenSoak } from './shop/given-soak.ts';
import { startClients, throughOutage } from './shop/through-outage.ts';

/**
 * Kills the primary of a two-node Patroni cluster under load: the whole node in even rounds, PostgreSQL alone in odd
 * ones. A TCP proxy follows the primary. Needs Debian's `patroni`, `etcd-server`, `postgresql`. `node
 * test/soak/failover.ts [--rounds 2] [--seed N]`.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2' }, seed: { type: 'string' } } });
const SEED = Number(values.seed ?? randomInt(1_000_000));
const FOLLOW_MS = 250;
const REJOIN_MS = 300_000;

const summary = createSummary(`failover, ${values.rounds} rounds, --seed ${SEED}`);
const patroni = await givenPatroni();
const proxy = await givenTcpProxy((await patroni.primary())?.port ?? 0);
tell('two nodes run, commits wait for both');
let aimed = await patroni.primary();

/** Points the proxy at the current primary; without one it refuses connections. */
async function follow(): Promise<void> {
  const primary = await patroni.primary();
  if (primary === aimed) return;
  proxy.cut();
  if (primary) {
    proxy.aim(primary.port);
    proxy.resume();
    tell(`node ${primary.name} is the primary`);
  }
  aimed = primary;
}

let following: NodeJS.Timeout | undefined;
const followOn = () => {
  following = setTimeout(() => follow().then(followOn), FOLLOW_MS);
};
followOn();
const serviceDir = freshDataDir();
const directUrl = () => urlOf(aimed?.port ?? 0);
const soak = await givenSoak(serviceDir, SEED, { databaseUrl: urlOf(proxy.port), directUrl });

try {
  const clients = startClients(soak, summary);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const what = round % 2 === 0 ? 'node' : 'postgres';
    let killed: PatroniNode | undefined;
    let killedAt = 0;
    await throughOutage(
      soak,
      {
        name: what === 'node' ? 'a lost node' : 'a primary whose PostgreSQL is killed',
        seconds: 0,
        async begin() {
          killed = await patroni.primary();
          if (!killed) throw new Error('There is no primary.');
          killedAt = performance.now();
          patroni.kill(killed, what);
        },
        async end() {
          await until('the other node is the primary', () => aimed !== undefined && aimed !== killed, REJOIN_MS);
          summary.note(`${what}: another primary after ${Math.round(performance.now() - killedAt)} ms`);
        },
      },
      summary,
    );
    if (killed && what === 'node') patroni.start(killed);
    await until('commits wait for both nodes again', () => patroni.isSynchronous(), REJOIN_MS);
    await pause(2000);
  }
  await clients.end();
  tell('settling');
  await soak.world.service?.stop();
  const where = { dataDir: serviceDir, connectionString: urlOf(proxy.port) };
  await settle(soak, where, summary);
  await checkSoak(soak, where, summary);
  await soak.world.service?.stop();
  summary.print();
} finally {
  clearTimeout(following);
  await soak.close();
  await proxy.close();
  await patroni.close();
  cleanUp();
}
