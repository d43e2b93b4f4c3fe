import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const DOORSTEP = join(import.meta.dirname, '../../bin/doorstep');
const ANSWER = /^\{.*\}$/m;
const LOOK_MS = 100;

/** What a process has used so far; buffers are memory outside of the JavaScript heap. */
export type ProcessUse = {
  cpuSeconds: number;
  rssBytes: number;
  heapBytes: number;
  bufferBytes: number;
  requests: number;
};

/** The first process is none of the workers. */
export type Used = { workers: readonly ProcessUse[]; first: ProcessUse };

export type Served = { url: string; used(): Promise<Used>; close(): Promise<void> };

/** `doorstep serve --workers N` as a command, ready to search. */
export async function startServe(workers: number, env: Record<string, string>): Promise<Served> {
  const args = [DOORSTEP, 'serve', '--role', 'api', '--workers', String(workers), '--json'];
  const child = spawn(process.execPath, args, {
    // A `.env` of the developer, in the folder of the clone, is no setting of a measurement.
    cwd: import.meta.dirname,
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      const [answer] = ANSWER.exec(text) ?? [];
      if (answer) resolve((JSON.parse(answer) as { url: string }).url);
    });
    exited.then(([status]) => reject(new Error(`serve ended with ${status}: ${text}`)));
  });
  while ((await fetch(`${url}/readyz`)).status !== 200) await new Promise((done) => setTimeout(done, LOOK_MS));
  return {
    url,
    used: async () => usedOf(await (await fetch(`${url}/metrics`)).text()),
    async close() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

const NOTHING: ProcessUse = { cpuSeconds: 0, rssBytes: 0, heapBytes: 0, bufferBytes: 0, requests: 0 };
const METRICS: Readonly<Record<string, keyof ProcessUse>> = {
  process_cpu_seconds_total: 'cpuSeconds',
  process_resident_memory_bytes: 'rssBytes',
  nodejs_heap_size_used_bytes: 'heapBytes',
  nodejs_external_memory_bytes: 'bufferBytes',
  doorstep_http_request_duration_seconds_count: 'requests',
};

/** One process has no label of a worker: it is the first and only worker. */
function usedOf(text: string): Used {
  const byWorker = new Map<number, ProcessUse>();
  for (const [, name = '', labels = '', value] of text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)) {
    const metric = METRICS[name];
    if (metric === undefined || (metric === 'requests' && !labels.includes('/search/store'))) continue;
    const number = Number(/worker="(\d+)"/.exec(labels)?.[1] ?? 1);
    const used = byWorker.get(number) ?? { ...NOTHING };
    byWorker.set(number, { ...used, [metric]: used[metric] + Number(value) });
  }
  const first = byWorker.get(0) ?? NOTHING;
  byWorker.delete(0);
  return { workers: [...byWorker.values()], first };
}
