import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Logger } from 'pino';
import { IndexWriter, type WriterData } from '../stores/index-writer.flow.ts';
import { ShelfKeeper } from './keep-shelves.flow.ts';

/** The `workerData` of the thread. Shelves lie in the snapshot folder, up to so many bytes. */
export type ThreadData = WriterData & { node: string; maxShelfBytes: number };
/** Messages to the thread. A searching thread is passed as its port. */
export type ToWriter = { kind: 'reader'; port: MessagePort } | { kind: 'close' };
/** Messages of the thread to the process that started it. */
export type FromWriter = { kind: 'log'; level: LogLevel; fields: object; text: string } | { kind: 'loaded' };

type LogLevel = 'info' | 'warn' | 'error';

function post(message: FromWriter): void {
  parentPort?.postMessage(message);
}

/** Forwards to the process's log: only the message of an error, because its properties may include a password. */
function logAt(level: LogLevel): Logger[LogLevel] {
  return (fields: unknown, text?: string) => {
    if (typeof fields === 'string') return post({ kind: 'log', level, fields: {}, text: fields });
    const { err, ...others } = fields as { err?: unknown };
    const reason = err instanceof Error ? { reason: err.message } : {};
    post({ kind: 'log', level, fields: { ...others, ...reason }, text: text ?? '' });
  };
}

const log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
const { node, maxShelfBytes, ...data } = workerData as ThreadData;
const { snapshotFolder } = data;
const kept = snapshotFolder === null ? null : { folder: `${snapshotFolder}-shelves`, maxBytes: maxShelfBytes };
const writer = new IndexWriter({
  data,
  node,
  log,
  openShelves: (db) => new ShelfKeeper({ db, kept, log }),
  onLoaded: () => post({ kind: 'loaded' }),
});
parentPort?.on('message', (message: ToWriter) => {
  if (message.kind === 'reader') writer.addReader(message.port);
  else void writer.close().then(() => parentPort?.close());
});
