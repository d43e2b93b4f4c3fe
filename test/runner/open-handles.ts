import type { ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import type { Server, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/*
 * What tests open and may leave open, each with the stack that opened it. Node.js publishes the opening of handles that
 * keep a process alive on its channels, except for timers, which are counted here.
 */

/** Frames of a stack, Node.js's own included. */
const FRAMES = 20;

type Opened = { file: string; opening: Error; isOpen(): boolean; close(): void };

const opened = new Set<Opened>();
const timers = new WeakMap<object, Opened>();
let file = 'the runner';

/** The test file to which the following handles belong. */
export function openFor(name: string): void {
  file = name;
}

function note(what: string, isOpen: () => boolean, close: () => void): Opened {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const one = { file, opening: new Error(`left open: ${what}`), isOpen, close };
  Error.stackTraceLimit = stackTraceLimit;
  opened.add(one);
  return one;
}

/** Whether the event loop waits for a handle, which is not part of a socket's or server's types. */
const isReferenced = (owner: object): boolean =>
  (owner as { _handle?: { hasRef?(): boolean } | null })._handle?.hasRef?.() ?? false;

/** Follows what is opened from now on. */
export function followHandles(): void {
  channel('child_process').subscribe((message) => {
    const child = (message as { process: ChildProcess }).process;
    const isOpen = () => child.exitCode === null && child.signalCode === null && !child.killed && isReferenced(child);
    const one = note('a process', isOpen, () => child.kill('SIGKILL'));
    child.once('exit', () => opened.delete(one));
  });
  channel('worker_threads').subscribe((message) => {
    const { worker } = message as { worker: Worker };
    const one = note(
      'a thread',
      () => worker.threadId !== -1,
      () => void worker.terminate(),
    );
    worker.once('exit', () => opened.delete(one));
  });
  channel('tracing:net.server.listen:asyncStart').subscribe((message) => {
    const { server } = message as { server: Server };
    const one = note(
      'a server',
      () => server.listening && isReferenced(server),
      () => server.unref(),
    );
    server.once('close', () => opened.delete(one));
  });
  channel('net.client.socket').subscribe((message) => {
    const { socket } = message as { socket: Socket };
    const isOpen = () => !socket.destroyed && !socket.writableEnded && isReferenced(socket);
    const one = note('a connection', isOpen, () => socket.unref());
    socket.once('close', () => opened.delete(one));
  });
  followTimers();
}

function followTimers(): void {
  const { setTimeout: setOnce, setInterval: repeat, clearTimeout: clear } = globalThis;
  const follow = (what: string, timer: NodeJS.Timeout) => {
    timers.set(
      timer,
      note(
        what,
        () => timer.hasRef(),
        () => void timer.unref(),
      ),
    );
    return timer;
  };
  const forget = (timer: unknown) => {
    const one = timers.get(Object(timer));
    if (one) opened.delete(one);
  };
  const setTimeout = (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const timer: NodeJS.Timeout = setOnce(() => {
      forget(timer);
      run(...args);
    }, ms);
    return follow('a timer', timer);
  };
  const setInterval = (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    follow('an interval', repeat(run, ms, ...args));
  const clearTimeout = (timer: NodeJS.Timeout) => {
    forget(timer);
    clear(timer);
  };
  // With their promisified forms.
  Object.defineProperties(setTimeout, Object.getOwnPropertyDescriptors(setOnce));
  Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval: clearTimeout });
}

/** Turns of the event loop where what this process is closing on both sides ends. */
const TURNS = 100;

/**
 * What is left open, by file; what is being closed is not: an ended socket, a killed process. Ends its processes and
 * threads.
 */
export async function takeLeftOpen(): Promise<ReadonlyMap<string, Error[]>> {
  const leftOpen = () => [...opened].filter((one) => one.isOpen());
  for (let turn = 0; turn < TURNS && leftOpen().length > 0; turn += 1) await setImmediate();
  const left = leftOpen();
  for (const { close } of left) close();
  return new Map(
    Map.groupBy(left, (one) => one.file)
      .entries()
      .map(([name, all]) => [name, all.map(({ opening }) => opening)]),
  );
}
