import { constants } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Interrupted } from './failure.ts';
import { listenForInterruption, waitForInterruption } from './interruption.ts';
import { stdoutFault } from './output.ts';

/** Time when handles that a finished command left open may close. */
const LINGER_MS = 2000;

/**
 * The only exit of every command; `process.exitCode` is its status. Waits until slow readers have the whole output,
 * because a pipe holds 64 KiB and `process.exit` drops the rest. A signal ends the wait.
 */
export async function endProcess(): Promise<void> {
  const output = finishOutput();
  const interruption = await Promise.race([output, waitForSignal(output)]);
  if (interruption) endBySignal(interruption.signal);
  if (process.exitCode) process.exit();
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

/** Exits at once with the shell's status for a signal; unread output is dropped. */
export function endBySignal(signal: NodeJS.Signals): never {
  process.exit(128 + constants.signals[signal]);
}

async function finishOutput(): Promise<undefined> {
  await flush(process.stdout);
  const fault = stdoutFault();
  if (fault && fault.code !== 'EPIPE') {
    process.stderr.write(`Can't write to standard output (${fault.code}). The output is incomplete.\n`);
    process.exitCode ||= 1;
  }
  await flush(process.stderr);
}

/** If the signal arrives before the command is done, a reader that is ready still gets the output. */
async function waitForSignal(output: Promise<undefined>): Promise<Interrupted | undefined> {
  const interruption = listenForInterruption();
  await waitForInterruption(interruption);
  await nextTurn();
  const { reason } = interruption.signal;
  if (reason instanceof Interrupted) return reason;
  return output;
}

/** Writes finish in order, so an empty write ends after all earlier ones, even failed ones. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((done) => {
    stream.write('', () => done());
  });
}
