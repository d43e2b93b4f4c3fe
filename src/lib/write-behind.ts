/** Writes pieces in their order while the caller prepares the next piece: at most one write runs. */
export type WriteBehind<Piece> = {
  /** Waits for the write of the previous piece, then starts this one. Throws when the previous write failed. */
  add(piece: Piece): Promise<void>;
  /** Waits for the last write; throws when it failed. */
  drain(): Promise<void>;
};

export function createWriteBehind<Piece>(write: (piece: Piece) => Promise<void>): WriteBehind<Piece> {
  let writing: Promise<void> = Promise.resolve();
  return {
    async add(piece) {
      await writing;
      writing = write(piece);
      // The next `add` or `drain` throws the error; until then the rejection must not count as unhandled.
      writing.catch(() => {});
    },
    drain: () => writing,
  };
}
