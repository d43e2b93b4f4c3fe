import { parentPort, workerData } from 'node:worker_threads';
import type { TableMemory } from '../../../lib/columns/hash-table.ts';
import { createIdTable } from '../../../lib/columns/id-table.ts';
import { errorMessage } from '../../../lib/error-code.ts';
import { splitSections } from './block-sections.ts';
import { readSnapshotFile } from './read-snapshot-file.cache.ts';
import { type BlockBytes, SECTIONS } from './snapshot-blocks.ts';
import { type SnapshotFacts, UnusableSnapshot } from './snapshot-layout.ts';
import { type ThreadTurns, takeTurns } from './thread-turns.ts';

export type UnpackingOrder = { file: string; turns: ThreadTurns };

/** Bytes in memory that one thread gives to another. */
export type MovedPart = { memory: ArrayBuffer; length: number };
export type MovedBlock = { columns: MovedPart; documents: MovedPart };

/** What this thread makes of all blocks, so that the thread that serves need not. */
export type MadeTables = {
  /** The table of the ids (`IdTable`); null where an id comes twice. */
  ids: TableMemory | null;
};

/**
 * What this thread tells: the facts of the snapshot, or that there is no file; then blocks; at last the tables of all
 * blocks. A failure comes in the place of any of these, and nothing comes after a failure.
 */
export type UnpackingMessage =
  | { facts: SnapshotFacts | null }
  | { block: MovedBlock }
  | { tables: MadeTables }
  | { failure: string; isUnusable: boolean };

/**
 * Reads a snapshot, checks and unpacks its blocks, in a thread of its own that has nothing else to do: its calls wait for the
 * disk, and for the thread that serves once it is far enough ahead (docs/adr/0068-a-thread-unpacks-the-snapshot.md).
 */
unpack(workerData as UnpackingOrder);

function unpack({ file, turns: memory }: UnpackingOrder): void {
  const turns = takeTurns(memory);
  try {
    const reader = readSnapshotFile(file);
    tell({ facts: reader?.facts ?? null });
    if (reader === null) return;
    const ids = createIdTable(() => {});
    ids.reserve(reader.facts.stores);
    for (const block of reader.blocks()) {
      ids.append(sectionOf(block.columns, 'ids'));
      tellBlock(block);
      if (!turns.next()) break;
    }
    reader.close();
    if (turns.shallEnd()) return;
    const tables = { ids: ids.giveTable() };
    tell(
      { tables },
      tables.ids?.slots.map(({ buffer }) => buffer),
    );
  } catch (error) {
    tell({ failure: errorMessage(error), isUnusable: error instanceof UnusableSnapshot });
  } finally {
    turns.end();
  }
}

function sectionOf(columns: Buffer, name: (typeof SECTIONS)[number]): Buffer {
  return splitSections(columns, SECTIONS.length)[SECTIONS.indexOf(name)] as Buffer;
}

function tellBlock({ columns, documents }: BlockBytes): void {
  const block = { columns: movable(columns), documents: movable(documents) };
  tell({ block }, [block.columns.memory, block.documents.memory]);
}

function tell(message: UnpackingMessage, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}

/** The memory of the bytes, which can be given away; a small buffer lies in memory that others use. */
function movable(bytes: Buffer): MovedPart {
  const { buffer, byteOffset, length } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0 && length > Buffer.poolSize;
  return { memory: isOwn ? buffer : new Uint8Array(bytes).buffer, length };
}
