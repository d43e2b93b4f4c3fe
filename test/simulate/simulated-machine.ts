import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { randomId } from '../../src/platform/lib/random-id.ts';
import { type Chance, createChance } from './chance.ts';

/** The machine's real functions, for the simulator only. */
export const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  now: performance.now.bind(performance),
};

/** A simulated timer: fires once the simulated clock reaches it and the seed picks it. */
export type Timer = { id: number; dueMs: number; owner: unknown; fire(): void };

/** The machine as a program sees it: clock, randomness and timers. */
export type Machine = {
  nowMs(): number;
  moveTo(ms: number): void;
  /** Pending timers, in order of creation. */
  timers: Map<number, Timer>;
  /** Resolves once no continuation can run: everything waits for an operation or a timer. */
  quiesce(): Promise<void>;
  /** Runs a task as part of an owner, who then owns the task's timers. */
  runAs<Result>(owner: unknown, task: () => Result): Result;
  /** Restores the real clock, random numbers and timers. */
  restore(): void;
};

const owners = new AsyncLocalStorage<unknown>();

/**
 * Replaces clock, randomness and timers for the whole process by patching Node.js's functions, so that everything the
 * service and its packages read comes from the seed, without a seam in the service.
 */
export function simulateMachine(seed: string, startMs: number): Machine {
  let nowMs = startMs;
  let immediates = 0;
  const { timers, setTimer, clearTimer, handleOf } = simulateTimers(() => nowMs);
  const undo = [
    replace(Math as never, 'random', createChance(`${seed}/random`).next),
    replace(performance, 'now', () => nowMs),
    replace(
      globalThis,
      'Date',
      simulatedDate(() => nowMs),
    ),
    replace(Temporal.Now, 'instant', () => Temporal.Instant.fromEpochMilliseconds(nowMs)),
    replace(globalThis, 'setTimeout', (task: (...args: unknown[]) => void, delayMs?: number, ...args: unknown[]) =>
      handleOf(setTimer(() => task(...args), delayMs)),
    ),
    replace(globalThis, 'clearTimeout', clearTimer),
    // The service's intervals sweep sockets and send stream heartbeats; the simulation has neither, so they never fire.
    replace(globalThis, 'setInterval', () => handleOf(0)),
    replace(globalThis, 'clearInterval', () => {}),
    replace(globalThis, 'setImmediate', (task: (...args: unknown[]) => void, ...args: unknown[]) => {
      immediates += 1;
      return real.setImmediate(() => {
        immediates -= 1;
        task(...args);
      });
    }),
    replace(timersPromises, 'setTimeout', (delayMs: number, value?: unknown) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      setTimer(() => resolve(value), delayMs);
      return promise;
    }),
    ...simulateCrypto(createChance(`${seed}/bytes`)),
  ];
  syncBuiltinESMExports();
  // Uses up the rest of the block of random bytes from which the service draws its ids.
  randomId('', 4096);
  return {
    nowMs: () => nowMs,
    moveTo(ms) {
      nowMs = Math.max(nowMs, ms);
    },
    timers,
    async quiesce() {
      do await new Promise<void>((resolve) => void real.setImmediate(resolve));
      while (immediates > 0);
    },
    runAs: (owner, task) => owners.run(owner, task),
    restore() {
      for (const one of undo.toReversed()) one();
      syncBuiltinESMExports();
      randomId('', 4096);
    },
  };
}

/** A run's timers, with handles like Node.js's: methods, and a number for comparisons. */
function simulateTimers(nowMs: () => number) {
  let lastTimer = 0;
  const timers = new Map<number, Timer>();
  /** This run's handles: packages also clear real timers, and those of an earlier run, which had the same numbers. */
  const handles = new WeakMap<object, number>();
  const handleOf = (id: number) => {
    const handle = { ref: () => handle, unref: () => handle, hasRef: () => false, [Symbol.toPrimitive]: () => id };
    handles.set(handle, id);
    return handle;
  };
  const clearTimer = (handle?: NodeJS.Timeout): void => {
    const id = handle && handles.get(handle);
    if (id === undefined) real.clearTimeout(handle);
    else timers.delete(id);
  };
  const setTimer = (fire: () => void, delayMs = 0): number => {
    lastTimer += 1;
    const id = lastTimer;
    timers.set(id, { id, dueMs: nowMs() + Math.max(1, delayMs), owner: owners.getStore(), fire });
    return id;
  };
  return { timers, setTimer, clearTimer, handleOf };
}

function replace(target: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true });
  return () => {
    if (before) Object.defineProperty(target, name, before);
    else delete (target as Record<string, unknown>)[name];
  };
}

function simulatedDate(nowMs: () => number): DateConstructor {
  const RealDate = Date;
  const construct = (args: unknown[]) => Reflect.construct(RealDate, args.length === 0 ? [nowMs()] : args);
  return new Proxy(RealDate, {
    construct: (_target, args) => construct(args),
    get: (target, name) => (name === 'now' ? nowMs : Reflect.get(target, name)),
  });
}

/** The functions of `node:crypto` that draw random bytes, and the one that uses the thread pool. */
function simulateCrypto(chance: Chance): (() => void)[] {
  const fill = <Bytes extends NodeJS.ArrayBufferView>(bytes: Bytes): Bytes => {
    const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < view.length; at += 1) view[at] = chance.below(256);
    return bytes;
  };
  return [
    replace(crypto, 'randomFillSync', fill),
    replace(crypto, 'randomBytes', (count: number) => fill(Buffer.alloc(count))),
    replace(crypto, 'randomInt', (first: number, second?: number) =>
      second === undefined ? chance.below(first) : first + chance.below(second - first),
    ),
    replace(crypto, 'randomUUID', () => {
      const hex = fill(Buffer.alloc(16)).toString('hex');
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    }),
    replace(crypto, 'scrypt', (...args: unknown[]) => {
      const done = args.pop() as (error: unknown, key?: Buffer) => void;
      const key = (crypto.scryptSync as (...args: unknown[]) => Buffer)(...args);
      queueMicrotask(() => done(null, key));
    }),
  ];
}
