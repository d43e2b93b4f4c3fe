import type { Logger } from 'pino';
import { warnOfRetry } from '../db/is-database-unavailable.ts';

/** `name` is how log lines name the task. */
export type RepeatedWork = { name: string; everyMs: number; log: Logger; run: () => Promise<unknown> };

/** Runs a task again and again, `everyMs` after its last end; an error does not end it. */
export class RepeatedTask {
  private readonly task: RepeatedWork;
  private failures = 0;
  private isStopped = false;
  private timer: NodeJS.Timeout | undefined;
  private running = Promise.resolve();

  constructor(task: RepeatedWork) {
    this.task = task;
    this.schedule();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.runOnce();
    }, this.task.everyMs).unref();
  }

  private async runOnce(): Promise<void> {
    const { name, log, run } = this.task;
    try {
      await run();
      if (this.failures > 0) log.info({ failures: this.failures }, `${name} works again`);
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      warnOfRetry(log, `${name} failed; trying again`, error, this.failures);
    }
    this.schedule();
  }
}
