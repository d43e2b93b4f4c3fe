import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, givenDatabase, type RunningCommand, runCommand, startCommand } from '../../../test/given/command.ts';
import { until } from '../../../test/until.ts';

const READY = /^\{.*\}$/m;
const LIMIT = 40;

type Running = RunningCommand & { url: string; pidOf(worker: number): number };

/** `doorstep serve --workers 2`, ready. */
async function givenWorkers(env: Record<string, string>): Promise<Running> {
  const args = ['serve', '--workers', '2', '--json'];
  const running = startCommand(args, { ...env, LOG_LEVEL: 'info', PORT: await freePort() });
  let log = '';
  running.child.stderr.on('data', (text: string) => {
    log += text;
  });
  const { url, workers } = JSON.parse((await running.printed(READY))[0]);
  assert.equal(workers, 2);
  const pidOf = (worker: number) => {
    const started = log.split('\n').filter((line) => line.includes('"worker started"'));
    const pids = started.map((line) => JSON.parse(line)).filter((line) => line.worker === worker);
    return pids.at(-1)?.pid ?? assert.fail(`worker ${worker} did not start`);
  };
  return { ...running, url, pidOf };
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const isRefused = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  );

/** The value of a series in the merged metrics, undefined where no worker tells it. */
async function metricOf(url: string, name: string, worker: number): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name}{`) && each.includes(`worker="${worker}"`));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

/** Sends requests over one connection, and so to one worker; resolves with their statuses. */
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
  const running = await givenWorkers({ ...env, RATE_LIMIT_PER_MINUTE: String(LIMIT) });
  const { url, child, finished, pidOf } = running;

  await t.test('several processes answer on one port, ready together, with their metrics in one text', async () => {
    await until('ready', async () => (await fetch(`${url}/readyz`)).status === 200);
    for (const worker of [1, 2]) {
      assert.equal(await metricOf(url, 'doorstep_worker_up', worker), 1);
      assert.equal(await metricOf(url, 'doorstep_worker_starts_total', worker), 1);
    }
    // Worker 0 is the first process.
    for (const worker of [0, 1, 2]) {
      const cpuSeconds = await metricOf(url, 'process_cpu_seconds_total', worker);
      assert.ok(cpuSeconds !== undefined && cpuSeconds > 0);
    }
    assert.notEqual(pidOf(1), pidOf(2));
  });

  await t.test('a client that has spent its limit at one worker has spent its limit at the other', async () => {
    // The first process hands connections out by turns.
    const [a, b] = [givenConnection(url), givenConnection(url)];
    assert.deepEqual([await a.status('/healthz'), await b.status('/healthz')], [200, 200]);
    for (let n = 1; n <= LIMIT; n += 1) assert.equal(await a.status('/nowhere'), 404, `request ${n}`);
    assert.equal(await a.status('/nowhere'), 429);
    let sent = 0;
    await until('the other worker knows', async () => {
      sent += 1;
      return (await b.status('/nowhere')) === 429;
    });
    assert.ok(sent < LIMIT, `${sent}`);
    a.close();
    b.close();
  });

  await t.test('a worker that is killed is started again, and the others answer meanwhile', async () => {
    const [killed, other] = [pidOf(1), pidOf(2)];
    process.kill(killed, 'SIGKILL');
    await until('dead', () => !isAlive(killed));
    for (let n = 0; n < 5; n += 1) assert.equal((await fetch(`${url}/readyz`)).status, 200);
    // A scrape may show the metrics of a moment before.
    await until('started again', async () => (await metricOf(url, 'doorstep_worker_starts_total', 1)) === 2);
    await until('up', async () => (await metricOf(url, 'doorstep_worker_up', 1)) === 1);
    assert.notEqual(pidOf(1), killed);
    assert.equal(pidOf(2), other);
  });

  await t.test('a signal ends every worker, and requests under way are answered', async () => {
    const pids = [pidOf(1), pidOf(2)];
    const replies = Array.from({ length: 20 }, () => fetch(`${url}/openapi.json`).then((reply) => reply.text()));
    await replies[0];
    child.kill('SIGTERM');
    const ended = await Promise.allSettled(replies);
    for (const each of ended) if (each.status === 'fulfilled') assert.match(each.value, /^\{.*\}$/s);
    assert.equal((await finished).status, 0);
    assert.deepEqual(pids.map(isAlive), [false, false]);
    assert.equal(await isRefused(url), true);
  });

  await t.test('workers do not outlive the first process', async () => {
    const next = await givenWorkers(env);
    const pids = [next.pidOf(1), next.pidOf(2)];
    next.child.kill('SIGKILL');
    await until('ended', () => !pids.some(isAlive));
    assert.equal(await isRefused(next.url), true);
  });

  await t.test('a setting that no worker can start with is one sentence and exit status 78', async () => {
    const PLACES_FILE = join(env.DATA_DIR ?? '', 'no-such.geojson');
    const wrong = { ...env, PLACES_FILE, LOG_LEVEL: 'fatal', PORT: await freePort() };
    const { status, stdout, stderr } = await runCommand(['serve', '--workers', '2'], wrong);
    assert.deepEqual([status, stdout, stderr], [78, '', 'PLACES_FILE could not be read: no such file.\n']);
  });
});
