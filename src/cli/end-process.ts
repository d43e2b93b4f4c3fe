import { constants } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Interrupted } from './failure.ts';
import { interrupted, listenForInterruption } from './interruption.ts';
import { stdoutFault } from './output.ts';

/** A handle that a finished command left open gets this long to close by itself. */
const LINGER_MS = 2000;

/**
 * The only end of every command; `process.exitCode` is its exit status. A slow reader gets the whole output first:
 * a pipe holds 64 KiB, and `process.exit` drops the rest. A signal ends the wait for the reader.
 */
export async function endProcess(): Promise<void> {
  const output = finishOutput();
  const interruption = await Promise.race([output, waitForSignal(output)]);
  if (interruption) endBySignal(interruption.signal);
  if (process.exitCode) process.exit();
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

/** Ends the process at once with the exit status that shells give to a signal. Output that no reader took is dropped. */
export function endBySignal(signal: NodeJS.Signals): never {
  process.exit(128 + constants.signals[signal]);
}

async function finishOutput(): Promise<undefined> {
  await flush(process.stdout);
  const fault = stdoutFault();
  if (fault && fault.code !== 'EPIPE') {
    process.stderr.write(`Standard output cannot be written (${fault.code}): the answer is not complete.\n`);
    process.exitCode ||= 1;
  }
  await flush(process.stderr);
}

/** The signal may have come before the command was done: a reader that is ready still gets the output of that command. */
async function waitForSignal(output: Promise<undefined>): Promise<Interrupted | undefined> {
  const interruption = listenForInterruption();
  await interrupted(interruption);
  await nextTurn();
  const { reason } = interruption.signal;
  if (reason instanceof Interrupted) return reason;
  return output;
}

/** Writes are done in order: the end of an empty write is the end of all writes before it, failed writes included. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((done) => {
    stream.write('', () => done());
  });
}
