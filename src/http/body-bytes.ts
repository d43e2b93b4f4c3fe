import { Refusal } from './refusal.ts';

const MIB = 1024 * 1024;
/** Bytes of bodies that this process holds, from their arrival to the end of their answers. */
const MAX_BYTES = 64 * MIB;
/** The same for one key, one session or one client address: eight of the largest bodies. */
const MAX_BYTES_OF_A_HOLDER = 8 * MIB;
const COME_AGAIN = { headers: { 'retry-after': '1' } };

/** The bytes of one body. */
export type HeldBody = {
  /** Counts bytes that have arrived. Returns the refusal of the request where they pass a bound. */
  add(bytes: number): Refusal | undefined;
  release(): void;
};

export type BodyBytes = {
  hold(holder: string): HeldBody;
  /** The bytes that are held now. */
  total(): number;
};

/** Counts what has arrived and not what is announced: an announced body that never comes takes no room of others. */
export function createBodyBytes(maxBytes = MAX_BYTES, maxBytesOfAHolder = MAX_BYTES_OF_A_HOLDER): BodyBytes {
  const ofHolder = new Map<string, number>();
  let total = 0;

  function count(holder: string, bytes: number): void {
    total += bytes;
    const held = (ofHolder.get(holder) ?? 0) + bytes;
    if (held > 0) ofHolder.set(holder, held);
    else ofHolder.delete(holder);
  }

  return {
    total: () => total,
    hold(holder) {
      let held = 0;
      return {
        add(bytes) {
          if ((ofHolder.get(holder) ?? 0) + bytes > maxBytesOfAHolder) {
            return new Refusal('rate_limited', 'Too many large bodies at once; send one after the other.', COME_AGAIN);
          }
          if (total + bytes > maxBytes) {
            return new Refusal('not_ready', 'Too many large bodies are under way; nothing was done.', COME_AGAIN);
          }
          held += bytes;
          count(holder, bytes);
          return undefined;
        },
        release() {
          count(holder, -held);
          held = 0;
        },
      };
    },
  };
}
