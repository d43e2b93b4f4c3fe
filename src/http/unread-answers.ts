import type { ServerResponse } from 'node:http';
import { NO_PEERS, type PeerNumbers } from '../lib/peer-numbers.ts';
import { Refusal } from './refusal.ts';

const MIB = 1024 * 1024;
/** Smaller answers fit into the buffers of the kernel. */
export const COUNTED_BYTES = 16 * 1024;
/** Bytes of answers that this process and its peers hold for clients that have not read them. */
const MAX_BYTES = 96 * MIB;
/** The same for one key, one session or one client address. An answer that is larger is held alone. */
const MAX_BYTES_OF_A_HOLDER = 16 * MIB;
/** Where the process is full, an answer of which nothing was read for so long makes room. */
const STUCK_MS = 5000;
/** An answer of which less was read within a minute is cut. */
const MIN_BYTES_A_MINUTE = 256 * 1024;
const MINUTE_MS = 60_000;
/** The peers hear at once of so many bytes more or less. */
const STEP_BYTES = MIB;
const ALL = 'unread answers';
const COME_AGAIN = { headers: { 'retry-after': '5' } };

type Held = {
  holder: string;
  bytes: number;
  response: ServerResponse;
  /** What the client had taken, and when more was taken last. */
  taken: number;
  movedAtMs: number;
  /** The same at the beginning of the present minute. */
  takenBefore: number;
  minuteAtMs: number;
};

export type UnreadAnswers = {
  /** The refusal of an answer that passes a bound, undefined where the answer may be sent. Cuts stuck answers of this process for it. */
  refusalOf(holder: string, bytes: number): Refusal | undefined;
  /** Counts the bytes until the client has taken the answer or is gone. */
  hold(holder: string, bytes: number, response: ServerResponse): void;
  /** Cuts the answers that their clients do not read. */
  sweep(): void;
  /** The bytes that this process holds now. */
  total(): number;
};

type Bounds = { maxBytes: number; maxBytesOfHolder: number };
const BOUNDS: Bounds = { maxBytes: MAX_BYTES, maxBytesOfHolder: MAX_BYTES_OF_A_HOLDER };

type Needs = { nowMs(): number; peers?: PeerNumbers; bounds?: Bounds };

/** `nowMs` is the time in milliseconds. */
export function createUnreadAnswers({ nowMs, peers = NO_PEERS, bounds = BOUNDS }: Needs): UnreadAnswers {
  const held = new Map<ServerResponse, Held>();
  const ofHolder = new Map<string, number>();
  let total = 0;

  function count(holder: string, bytes: number): void {
    total += bytes;
    const sum = (ofHolder.get(holder) ?? 0) + bytes;
    if (sum > 0) ofHolder.set(holder, sum);
    else ofHolder.delete(holder);
    peers.tell(nameOf(holder), sum, { step: STEP_BYTES });
    peers.tell(ALL, total, { step: STEP_BYTES });
  }

  function release(response: ServerResponse): void {
    const answer = held.get(response);
    if (!answer) return;
    held.delete(response);
    count(answer.holder, -answer.bytes);
  }

  function cut({ response }: Held): void {
    release(response);
    response.destroy();
  }

  /** Notes what each client has taken since the last look. */
  function look(atMs: number): void {
    for (const answer of held.values()) {
      const taken = takenOf(answer.response);
      if (taken > answer.taken) Object.assign(answer, { taken, movedAtMs: atMs });
    }
  }

  function cutStuck(atMs: number, isOwn: (answer: Held) => boolean, isEnough: () => boolean): void {
    look(atMs);
    const stuck = [...held.values()].filter((answer) => isOwn(answer) && atMs - answer.movedAtMs >= STUCK_MS);
    for (const answer of stuck.sort((a, b) => a.movedAtMs - b.movedAtMs)) {
      if (isEnough()) return;
      cut(answer);
    }
  }

  return {
    total: () => total,
    refusalOf(holder, bytes) {
      const heldBy = () => (ofHolder.get(holder) ?? 0) + peers.ofPeers(nameOf(holder)).sum;
      const ownFits = () => fits(heldBy(), bytes, bounds.maxBytesOfHolder);
      const allFit = () => fits(total + peers.ofPeers(ALL).sum, bytes, bounds.maxBytes);
      if (!ownFits()) cutStuck(nowMs(), (answer) => answer.holder === holder, ownFits);
      if (!ownFits()) return new Refusal('rate_limited', 'Read the answers that you have asked for first.', COME_AGAIN);
      if (!allFit()) cutStuck(nowMs(), () => true, allFit);
      return allFit() ? undefined : new Refusal('not_ready', 'Too many answers wait for their clients.', COME_AGAIN);
    },
    hold(holder, bytes, response) {
      if (response.writableFinished || response.destroyed || held.has(response)) return;
      const [atMs, taken] = [nowMs(), takenOf(response)];
      held.set(response, { holder, bytes, response, taken, movedAtMs: atMs, takenBefore: taken, minuteAtMs: atMs });
      count(holder, bytes);
      response.once('finish', () => release(response)).once('close', () => release(response));
    },
    sweep() {
      const atMs = nowMs();
      look(atMs);
      for (const answer of [...held.values()]) {
        if (atMs - answer.minuteAtMs < MINUTE_MS) continue;
        if (answer.taken - answer.takenBefore < MIN_BYTES_A_MINUTE) cut(answer);
        else Object.assign(answer, { takenBefore: answer.taken, minuteAtMs: atMs });
      }
    },
  };
}

/** An answer that is larger than the bound goes out alone. */
function fits(held: number, bytes: number, max: number): boolean {
  return held === 0 || held + bytes <= max;
}

function nameOf(holder: string): string {
  return `${ALL} of ${holder}`;
}

/** Bytes that the connection has given to the kernel. */
function takenOf({ socket }: ServerResponse): number {
  return socket ? socket.bytesWritten - socket.writableLength : 0;
}
