import { connect } from 'node:net';
import type { Load, Loaded } from './load.ts';

/** Load generator over plain sockets: it only counts bytes, so it leaves most of the shared machine to the server. */
process.on('message', (load: Load) => {
  run(load).then(
    (loaded) => process.send?.(loaded),
    (error) => process.send?.({ fault: String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
process.send?.({});

const SOCKET_BYTES = 256 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const MAX_HEAD_BYTES = 16 * 1024;

async function run(load: Load): Promise<Loaded> {
  const startMs = performance.now();
  const each = Math.floor(load.paths.length / load.connections);
  const runs = Array.from({ length: load.connections }, (_, nth) => runConnection(load, nth, nth * each));
  const answers = (await Promise.all(runs)).flat();
  return {
    seconds: (performance.now() - startMs) / 1000,
    latenciesMs: answers.map(({ ms }) => ms),
    bodyBytes: answers.reduce((sum, { bytes }) => sum + bytes, 0),
    lengths: load.wantsLengths ? answers.map(({ bytes }) => bytes) : [],
  };
}

type Answered = { ms: number; bytes: number };

/**
 * Sends requests one at a time. Each connection starts at a different position in the list, so that equal requests do
 * not follow each other.
 */
function runConnection({ url, keys, paths, rounds, ms }: Load, nth: number, from: number): Promise<Answered[]> {
  const { hostname, port } = new URL(url);
  const head = ` HTTP/1.1\r\nhost: ${hostname}:${port}\r\nid-token: ${keys[nth % keys.length]}\r\naccept: application/json\r\n\r\n`;
  const answered: Answered[] = [];
  const endMs = performance.now() + ms;
  let sentMs = 0;
  return new Promise((resolve, reject) => {
    const reader = createReader((status, bytes) => {
      if (status !== 200)
        return void socket.destroy(new Error(`${status} for ${paths[(from + answered.length) % paths.length]}`));
      const nowMs = performance.now();
      answered.push({ ms: nowMs - sentMs, bytes });
      if (nowMs >= endMs || answered.length >= rounds) socket.end();
      else send();
    });
    const buffer = Buffer.allocUnsafeSlow(SOCKET_BYTES);
    const onread = { buffer, callback: (bytes: number, data: Uint8Array) => reader(data as Buffer, bytes) };
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread }, send);
    function send(): void {
      sentMs = performance.now();
      socket.write(`GET ${paths[(from + answered.length) % paths.length]}${head}`, 'latin1');
    }
    socket.once('error', reject);
    socket.once('close', () => resolve(answered));
  });
}

/** Calls back with the status and body length of each response; every response must have a Content-Length. */
function createReader(onAnswer: (status: number, bytes: number) => void) {
  let head = '';
  let [status, length, left] = [0, 0, 0];
  /** Continues parsing a head; returns the offset of the body, or the end of the data. */
  const readHead = (data: Buffer, at: number, bytes: number): number => {
    const end = data.subarray(0, bytes).indexOf(HEAD_END, at);
    const until = end === -1 ? bytes : end + HEAD_END.length;
    head += data.toString('latin1', at, until);
    if (head.length > MAX_HEAD_BYTES) throw new Error('A head without an end.');
    if (end === -1) return until;
    status = Number(head.slice(9, 12));
    length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (!Number.isInteger(length) || length === 0) throw new Error(`An answer without a length: ${head}`);
    head = '';
    left = length;
    return until;
  };
  return (data: Buffer, bytes: number): boolean => {
    for (let at = 0; at < bytes; ) {
      if (left === 0) {
        at = readHead(data, at, bytes);
        continue;
      }
      const taken = Math.min(left, bytes - at);
      left -= taken;
      at += taken;
      if (left === 0) onAnswer(status, length);
    }
    return true;
  };
}
