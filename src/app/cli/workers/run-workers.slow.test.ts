import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  freePort,
  givenDatabase,
  type RunningCommand,
  runCommand,
  startCommand,
} from '../../../../test/given/command.ts';
import { until } from '../../../../test/until.ts';

const READY = /^\{.*\}$/m;
const LIMIT = 40;

type Running = RunningCommand & { url: string };

/** A running `doorstep serve --workers 2`. */
async function givenWorkers(env: Record<string, string>): Promise<Running> {
  const args = ['serve', '--workers', '2', '--json'];
  const running = startCommand(args, { ...env, LOG_LEVEL: 'info', PORT: await freePort() });
  const [line] = await running.printed(READY);
  const { url, workers } = JSON.parse(line);
  assert.equal(workers, 2, line);
  return { ...running, url };
}

type Threads = {
  env: Record<string, string>;
  /** Makes the first worker throw or run out of heap. */
  cause(fault: Fault): void;
  /** Number of threads that read the search writer's versions. */
  countReaders(): Promise<number>;
};

/** Instruments the service's threads: a file in the folder triggers an error, or requests the search writer's ports. */
async function givenThreads(folder: string): Promise<Threads> {
  const file = join(folder, 'threads.mjs');
  const [countFile, ports] = [join(folder, 'count'), join(folder, 'ports')];
  await writeFile(
    file,
    `import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
    import { workerData } from 'node:worker_threads';
    const kept = [];
    const faults = {
      throw: () => { throw new Error('a fault of the test'); },
      fill: () => { for (;;) kept.push(new Array(1_000_000).fill(kept.length)); },
    };
    if (workerData?.number === 1) setInterval(() => {
      for (const [name, fault] of Object.entries(faults)) {
        const asked = ${JSON.stringify(folder)} + '/' + name;
        if (!existsSync(asked)) continue;
        rmSync(asked);
        fault();
      }
    }, 50).unref();
    if (workerData && 'snapshotFolder' in workerData) setInterval(() => {
      if (!existsSync(${JSON.stringify(countFile)})) return;
      rmSync(${JSON.stringify(countFile)});
      const ports = process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;
      writeFileSync(${JSON.stringify(`${ports}.draft`)}, String(ports));
      renameSync(${JSON.stringify(`${ports}.draft`)}, ${JSON.stringify(ports)});
    }, 50).unref();`,
  );
  const NODE_OPTIONS = `--max-old-space-size=300 --import=${file}`;
  return {
    env: { NODE_OPTIONS },
    cause: (fault) => void writeFileSync(join(folder, fault), ''),
    async countReaders() {
      rmSync(ports, { force: true });
      writeFileSync(countFile, '');
      await until('the search writer has counted its ports', () => existsSync(ports));
      // One port belongs to the first thread, and each reader has one for stores and one for shelves.
      return (Number(readFileSync(ports, 'utf8')) - 1) / 2;
    },
  };
}

type Fault = 'throw' | 'fill';

const isRefused = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  );

/** A series' value in the merged metrics; undefined if no worker reports it. */
async function metricOf(url: string, name: string, worker: number): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name}{`) && each.includes(`worker="${worker}"`));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

/** A series' value once its worker has answered a scrape, which leaves out a late worker. */
async function reportedBy(url: string, name: string, worker: number): Promise<number | undefined> {
  let value: number | undefined;
  await until(`worker ${worker} reports ${name}`, async () => {
    value = await metricOf(url, name, worker);
    return value !== undefined;
  });
  return value;
}

/** Sends requests over one connection, so to one worker; resolves with their statuses. */
function givenConnection(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const status = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(url + path, { agent }, (reply) => reply.resume().on('end', () => resolve(reply.statusCode)));
      sent.on('error', reject).end();
    });
  return { status, close: () => agent.destroy() };
}

test('serve --workers', async (t) => {
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const threads = await givenThreads(env.DATA_DIR ?? assert.fail('no folder'));
  const running = await givenWorkers({ ...env, ...threads.env, RATE_LIMIT_PER_MINUTE: String(LIMIT) });
  const { url, child, finished } = running;

  await t.test('several threads answer on one port, ready together, with their metrics in one text', async () => {
    await until('ready', async () => (await fetch(`${url}/readyz`)).status === 200);
    for (const worker of [1, 2]) {
      await until('up', async () => (await metricOf(url, 'doorstep_worker_up', worker)) === 1);
      assert.equal(await metricOf(url, 'doorstep_worker_starts_total', worker), 1);
      assert.equal(await reportedBy(url, 'doorstep_search_loaded', worker), 1);
    }
    // Worker 0 is the first thread, the only worker with process-wide metrics.
    for (const worker of [0, 1, 2]) {
      assert.equal((await metricOf(url, 'process_cpu_seconds_total', worker)) !== undefined, worker === 0);
      assert.ok(((await reportedBy(url, 'nodejs_heap_size_used_bytes', worker)) ?? 0) > 0);
    }
  });

  await t.test('the search writer has as many readers as there are workers', async () => {
    assert.equal(await threads.countReaders(), 2);
  });

  await t.test('a client that has spent its limit at one worker has spent its limit at the other', async () => {
    // The kernel distributes connections: eight of them reach both workers with a probability of 127 in 128.
    const connections = Array.from({ length: 8 }, () => givenConnection(url));
    const statuses: (number | undefined)[] = [];
    for (let n = 0; n < LIMIT + 8; n += 1) statuses.push(await connections[n % 8]?.status('/nowhere'));
    assert.deepEqual(statuses, [...Array(LIMIT).fill(404), ...Array(8).fill(429)]);
    for (const connection of connections) connection.close();
  });

  for (const [nth, fault] of (['throw', 'fill'] as const).entries()) {
    await t.test(`a worker that ends (${fault}) is started again, and the other answers meanwhile`, async () => {
      threads.cause(fault);
      const workerStarts = (worker: number) => metricOf(url, 'doorstep_worker_starts_total', worker);
      // The ending worker's connections are reset, and a scrape may return slightly older metrics.
      await until('started again', async () => (await workerStarts(1).catch(() => 0)) === nth + 2);
      for (let n = 0; n < 5; n += 1) assert.equal((await fetch(`${url}/readyz`)).status, 200);
      await until('up', async () => (await metricOf(url, 'doorstep_worker_up', 1)) === 1);
      assert.equal(await workerStarts(2), 1);
      // The replacement worker reads the same writer segments as the other worker.
      assert.equal(await reportedBy(url, 'doorstep_search_loaded', 1), 1);
      assert.equal(await threads.countReaders(), 2);
    });
  }

  await t.test('a signal ends every worker, and requests under way are answered', async () => {
    const replies = Array.from({ length: 20 }, () => fetch(`${url}/openapi.json`).then((reply) => reply.text()));
    const ended = Promise.allSettled(replies);
    await replies[0];
    child.kill('SIGTERM');
    for (const each of await ended) if (each.status === 'fulfilled') assert.match(each.value, /^\{.*\}$/s);
    assert.equal((await finished).status, 0);
    assert.equal(await isRefused(url), true);
  });

  await t.test("a setting that prevents every worker's start exits with status 78 and one error message", async () => {
    const PLACES_FILE = join(env.DATA_DIR ?? '', 'no-such.geojson');
    const wrong = { ...env, PLACES_FILE, LOG_LEVEL: 'fatal', PORT: await freePort() };
    const { status, stdout, stderr } = await runCommand(['serve', '--workers', '2'], wrong);
    assert.deepEqual([status, stdout, stderr], [78, '', 'PLACES_FILE could not be read: no such file.\n']);
  });
});
