import { NO_PEERS, type PeerNumbers } from '../lib/peer-numbers.ts';
import { Refusal } from './refusal.ts';

const MIB = 1024 * 1024;
/** Bytes of bodies that this process and its peers hold, from their arrival to the end of their answers. */
const MAX_BYTES = 64 * MIB;
/** The same for one key, one session or one client address: eight of the largest bodies. */
const MAX_BYTES_OF_A_HOLDER = 8 * MIB;
/** The peers hear at once of so many bytes more or less. */
const STEP_BYTES = MIB / 2;
const ALL = 'bodies';
const COME_AGAIN = { headers: { 'retry-after': '1' } };

/** The bytes of one body. */
export type HeldBody = {
  /** Counts bytes that have arrived. Returns the refusal of the request where they pass a bound. */
  add(bytes: number): Refusal | undefined;
  release(): void;
};

export type BodyBytes = {
  hold(holder: string): HeldBody;
  /** The bytes that this process holds now. */
  total(): number;
};

type Needs = { peers?: PeerNumbers; maxBytes?: number; maxBytesOfAHolder?: number };

/** Counts what has arrived and not what is announced: an announced body that never comes takes no room of others. */
export function createBodyBytes({
  peers = NO_PEERS,
  maxBytes = MAX_BYTES,
  maxBytesOfAHolder = MAX_BYTES_OF_A_HOLDER,
}: Needs = {}): BodyBytes {
  const ofHolder = new Map<string, number>();
  let total = 0;

  function count(holder: string, bytes: number): void {
    total += bytes;
    const held = (ofHolder.get(holder) ?? 0) + bytes;
    if (held > 0) ofHolder.set(holder, held);
    else ofHolder.delete(holder);
    peers.tell(nameOf(holder), held, { step: STEP_BYTES });
    peers.tell(ALL, total, { step: STEP_BYTES });
  }

  const heldBy = (holder: string) => (ofHolder.get(holder) ?? 0) + peers.ofPeers(nameOf(holder)).sum;

  return {
    total: () => total,
    hold(holder) {
      let held = 0;
      return {
        add(bytes) {
          if (heldBy(holder) + bytes > maxBytesOfAHolder) {
            return new Refusal('rate_limited', 'Too many large bodies at once; send one after the other.', COME_AGAIN);
          }
          if (total + peers.ofPeers(ALL).sum + bytes > maxBytes) {
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

function nameOf(holder: string): string {
  return `${ALL} of ${holder}`;
}
