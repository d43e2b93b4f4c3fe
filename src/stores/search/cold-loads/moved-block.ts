import type { BlockBytes } from '../snapshots/snapshot-blocks.ts';

/** The memory of a block, which one thread gives to another. */
export type MovedBlock = { columns: ArrayBuffer; documents: ArrayBuffer };

/** The block in memory of its own, which can be given away: a small buffer lies in memory that others use. */
export function movable({ columns, documents }: BlockBytes): MovedBlock {
  return { columns: ownMemory(columns), documents: ownMemory(documents) };
}

export function movedBytes({ columns, documents }: MovedBlock): BlockBytes {
  return { columns: Buffer.from(columns), documents: Buffer.from(documents) };
}

function ownMemory(bytes: Buffer): ArrayBuffer {
  const { buffer } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length;
  return isWhole ? buffer : new Uint8Array(bytes).buffer;
}
