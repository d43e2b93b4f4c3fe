/** What a snapshot says of itself: which version wrote it, of which history, and of how many stores. */
export type SnapshotFacts = { format: string; mark: string; seq: number; stores: number };

/** Bytes that are packed apart, and how many they are unpacked. */
export type PackedPart = { bytes: number; size: number; sha256: string };

/** The list of blocks at the end of a snapshot, with the facts. */
export type SnapshotList = SnapshotFacts & { blocks: { columns: PackedPart; documents: PackedPart }[] };

/** The first bytes of a snapshot. */
export const MAGIC = Buffer.from('doorstep search\n');
/** The end of the file: bytes of the list of blocks, and its SHA-256. */
export const END_BYTES = 4 + 32;

/** The reason why a snapshot does not count. The index is then loaded from the database. */
export class UnusableSnapshot extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'UnusableSnapshot';
  }
}
