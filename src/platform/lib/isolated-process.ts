import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { COMPILE_CACHE_ENV } from './compile-cache.ts';

/** Why a process gave no response: it died, for example because its heap was full, or it took too long. */
export class ProcessLost extends Error {
  override readonly name = 'ProcessLost';
}

/**
 * A child process for hostile files: filling its heap or crashing its decoder ends only this process. It answers one
 * message at a time. Kill it when it is no longer needed.
 */
export class IsolatedProcess<Request extends object, Answer> {
  private readonly child: ChildProcess;
  private readonly answerMs: number;

  /** Starts `file` with PATH and the compile cache only, because our environment has secrets. */
  constructor(file: string, { heapMb, answerMs }: { heapMb: number; answerMs: number }) {
    this.answerMs = answerMs;
    this.child = fork(file, [], {
      execArgv: [`--max-old-space-size=${heapMb}`],
      env: { PATH: process.env.PATH ?? '', ...COMPILE_CACHE_ENV },
      serialization: 'advanced',
      // Discards V8's report of a full heap.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child.on('error', () => {});
  }

  /** Sends a message and awaits its response; rejects with ProcessLost. */
  async ask(message: Request): Promise<Answer> {
    const { child } = this;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const lose = () => reject(new ProcessLost('the process died'));
    const late = new AbortController();
    child.once('message', resolve).once('exit', lose);
    try {
      if (!child.connected) lose();
      else child.send(message, (error) => error && lose());
      pause(this.answerMs, undefined, { signal: late.signal }).then(
        () => reject(new ProcessLost('the process took too long')),
        () => {},
      );
      return await promise;
    } finally {
      late.abort();
      child.off('message', resolve).off('exit', lose);
    }
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}
