/** Memory of two threads: how many blocks may still be unpacked, whether the thread shall end, and whether it has. */
export type ThreadTurns = Int32Array<SharedArrayBuffer>;

const [BLOCKS, SHALL_END, HAS_ENDED] = [0, 1, 2];
const NUMBERS = 3;

export function newThreadTurns(blocks: number): ThreadTurns {
  const turns = new Int32Array(new SharedArrayBuffer(NUMBERS * Int32Array.BYTES_PER_ELEMENT));
  turns[BLOCKS] = blocks;
  return turns;
}

/** The side of the thread that gives turns. */
export function giveTurns(turns: ThreadTurns) {
  return {
    /** One block more may be unpacked. */
    give(): void {
      Atomics.add(turns, BLOCKS, 1);
      Atomics.notify(turns, BLOCKS);
    },
    /** The other thread ends after the block that it is at. */
    end(): void {
      Atomics.store(turns, SHALL_END, 1);
      Atomics.add(turns, BLOCKS, 1);
      Atomics.notify(turns, BLOCKS);
    },
    /** Holds this thread until the other one has ended its work, for so many milliseconds at most. */
    waitForEnd(maxMs: number): void {
      Atomics.wait(turns, HAS_ENDED, 0, maxMs);
    },
  };
}

/** The side of the thread that unpacks. */
export function takeTurns(turns: ThreadTurns) {
  const shallEnd = () => Atomics.load(turns, SHALL_END) === 1;
  return {
    /** Waits after a block until another one may be unpacked; false where the thread shall end. */
    next(): boolean {
      Atomics.sub(turns, BLOCKS, 1);
      for (let left = Atomics.load(turns, BLOCKS); left <= 0; left = Atomics.load(turns, BLOCKS)) {
        Atomics.wait(turns, BLOCKS, left);
      }
      return !shallEnd();
    },
    shallEnd,
    end(): void {
      Atomics.store(turns, HAS_ENDED, 1);
      Atomics.notify(turns, HAS_ENDED);
    },
  };
}
