import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openPool } from '../../../db/connect.ts';
import { beginReading, copyListedStores } from '../../copy-stores.db.ts';
import { BLOCK_BYTES, BLOCK_STORES } from '../snapshots/snapshot-blocks.ts';
import { createBlockWriter } from '../snapshots/write-blocks.ts';
import { type MovedBlock, movable } from './moved-block.ts';

/** Where the stores are. The order, and not the environment, has the address of the database: it holds a password. */
export type ReadingOrder = { connectionString: string; schema: string };

/**
 * What this thread tells: first what it sees, about how many stores there are; then blocks; at the end the number of the
 * stores.
 */
export type ReadingMessage =
  | { begun: { seq: number; stores: number } }
  | { block: MovedBlock }
  | { ended: { stores: number } };

/** Blocks that this thread may be ahead: some ten megabytes. */
const BLOCKS_AHEAD = 4;

/**
 * A thread of its own reads all stores of the database and writes them as blocks: the index takes in a block meanwhile. A
 * failure ends the thread with its error.
 */
await readStores(parentPort as MessagePort, workerData as ReadingOrder);

async function readStores(port: MessagePort, { connectionString, schema }: ReadingOrder): Promise<void> {
  const pool = openPool({ connectionString, schema, max: 1, applicationName: 'doorstep-cold-load' });
  const client = await pool.connect();
  const tell = (message: ReadingMessage, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);
  const turns = createTurns(port);
  const writer = createBlockWriter();
  let stores = 0;

  async function giveBlock(): Promise<void> {
    await turns.next();
    const block = movable(writer.finish());
    tell({ block }, [block.columns, block.documents]);
  }

  tell({ begun: await beginReading(client) });
  for await (const some of copyListedStores(client)) {
    for (const store of some) {
      writer.add(store);
      if (writer.size >= BLOCK_STORES || writer.bytes >= BLOCK_BYTES) await giveBlock();
    }
    stores += some.length;
  }
  if (writer.size > 0) await giveBlock();
  await client.query('commit');
  client.release();
  await pool.end();
  tell({ ended: { stores } });
  port.close();
}

/** A turn for each block: the other thread answers each block that it has taken in. */
function createTurns(port: MessagePort) {
  let free = BLOCKS_AHEAD;
  let wake = () => {};
  port.on('message', () => {
    free += 1;
    wake();
  });
  return {
    async next(): Promise<void> {
      while (free === 0) await new Promise<void>((resolve) => (wake = resolve));
      free -= 1;
    },
  };
}
