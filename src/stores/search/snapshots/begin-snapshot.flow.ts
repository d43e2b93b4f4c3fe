import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BlockBytes } from './snapshot-blocks.ts';
import { type SnapshotFacts, UnusableSnapshot } from './snapshot-layout.ts';
import type { MadeTables, MovedPart, UnpackingMessage, UnpackingOrder } from './snapshot-thread.flow.ts';
import { giveTurns, newThreadTurns } from './thread-turns.ts';

/** A snapshot whose end is as it was written; its blocks are checked one by one. */
export type OpenedSnapshot = {
  facts: SnapshotFacts;
  /** The blocks in their sequence, once. Throws UnusableSnapshot. */
  blocks(): AsyncGenerator<BlockBytes>;
  /** What the thread has made of all blocks, after the last of them. */
  tables(): Promise<MadeTables>;
};

/** A snapshot that another thread is reading. */
export type BegunSnapshot = {
  file: string;
  /** Null where there is no file. Throws UnusableSnapshot. */
  open(): Promise<OpenedSnapshot | null>;
  /** Ends the thread, and forgets what it has unpacked. */
  close(): Promise<void>;
};

/**
 * Blocks that are unpacked before they are taken. The index keeps the documents of a block where they are, so that blocks
 * ahead take no more than their columns beside: some 40 MB.
 */
const BLOCKS_AHEAD = 256;
/** A process that ends waits so long for the block that the thread is at: some milliseconds are usual. */
const MAX_END_MS = 2000;
const THREAD = join(import.meta.dirname, 'snapshot-thread.flow.ts');

/**
 * Begins to read, check and unpack a snapshot in a thread of its own: the processors that the start of a node leaves idle do
 * so while this thread loads modules and waits for the database.
 */
export function beginSnapshot(file: string, blocksAhead = BLOCKS_AHEAD): BegunSnapshot {
  // A node without a snapshot starts no thread.
  if (!existsSync(file)) return { file, open: async () => null, close: async () => {} };
  const memory = newThreadTurns(blocksAhead);
  const turns = giveTurns(memory);
  const order: UnpackingOrder = { file, turns: memory };
  // The preloads of this process are not for the thread, which imports a few files.
  const thread = new Worker(THREAD, { workerData: order, execArgv: [], name: 'doorstep-snapshot' });
  // A command that ends before it opens the snapshot does not wait for the thread.
  thread.unref();
  const ended = endOf(thread, turns);
  const messages = queueOf(thread);

  const tables = Promise.withResolvers<MadeTables>();

  async function* blocks(): AsyncGenerator<BlockBytes> {
    for (;;) {
      const message = await messages.next();
      if ('tables' in message) return tables.resolve(message.tables);
      if (!('block' in message)) throw failureOf(message);
      turns.give();
      yield { columns: bytesOf(message.block.columns), documents: bytesOf(message.block.documents) };
    }
  }

  return {
    file,
    async open() {
      thread.ref();
      const message = await messages.next();
      if (!('facts' in message)) throw failureOf(message);
      return message.facts && { facts: message.facts, blocks, tables: () => tables.promise };
    },
    async close() {
      messages.close();
      turns.end();
      thread.ref();
      await ended;
    },
  };
}

/**
 * Resolves when the thread has ended. The thread ends by itself, also before its process does: Node.js aborts the whole
 * process where it ends a thread from outside that is about to unpack.
 */
function endOf(thread: Worker, turns: ReturnType<typeof giveTurns>): Promise<void> {
  const endWithProcess = () => {
    turns.end();
    turns.waitForEnd(MAX_END_MS);
  };
  process.once('exit', endWithProcess);
  return new Promise((resolve) => {
    thread.once('exit', () => {
      process.off('exit', endWithProcess);
      resolve();
    });
  });
}

/** The messages of a thread, in their sequence. A thread that ends before its last message fails. */
function queueOf(thread: Worker) {
  let waiting: UnpackingMessage[] = [];
  let wake = () => {};
  const take = (message: UnpackingMessage) => {
    waiting.push(message);
    wake();
  };
  thread.on('message', take);
  thread.on('error', ({ message: failure }) => take({ failure, isUnusable: false }));
  thread.on('exit', () => take({ failure: 'The thread that reads the snapshot has ended.', isUnusable: false }));
  return {
    async next(): Promise<UnpackingMessage> {
      while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return waiting.shift() as UnpackingMessage;
    },
    close(): void {
      thread.removeAllListeners('message');
      waiting = [];
    },
  };
}

function failureOf(message: UnpackingMessage): Error {
  if (!('failure' in message)) return new Error('The thread that reads the snapshot told something else.');
  return message.isUnusable ? new UnusableSnapshot(message.failure) : new Error(message.failure);
}

function bytesOf({ memory, length }: MovedPart): Buffer {
  return Buffer.from(memory, 0, length);
}
