/** Writes pieces in their order, at most one behind: while one is being written the next can be put together. */
export type OneBehind<Piece> = {
  /** Begins to write the piece once the one before is written. Throws when that failed. */
  add(piece: Piece): Promise<void>;
  /** Waits for the last piece, and throws when it failed. */
  drain(): Promise<void>;
};

export function createOneBehind<Piece>(write: (piece: Piece) => Promise<void>): OneBehind<Piece> {
  let writing: Promise<void> = Promise.resolve();
  return {
    async add(piece) {
      await writing;
      writing = write(piece);
      // Whoever comes next is told; until then it is not unhandled.
      writing.catch(() => {});
    },
    drain: () => writing,
  };
}
