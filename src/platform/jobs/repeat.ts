import type { Logger } from 'pino';
import { RetryLog } from '../db/is-database-unavailable.ts';

/** `name` identifies the task in log lines. */
export type RepeatedWork = { name: string; everyMs: number; log: Logger; run: () => Promise<unknown> };

/** Repeats a task, `everyMs` after each end. An error does not stop the repetition. */
export class RepeatedTask {
  private readonly task: RepeatedWork;
  private readonly retryLog: RetryLog;
  private isStopped = false;
  private timer: NodeJS.Timeout | undefined;
  private running = Promise.resolve();
  private woken: Promise<void> | undefined;

  constructor(task: RepeatedWork) {
    this.task = task;
    this.retryLog = new RetryLog(task.log, `${task.name} failed; trying again`);
    this.schedule();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.woken;
    await this.running;
  }

  /** Runs the task now; once more after a running one, which may have read before the caller's change. */
  wake(): void {
    this.woken ??= this.running.then(() => {
      this.woken = undefined;
      clearTimeout(this.timer);
      if (!this.isStopped) this.running = this.runOnce();
    });
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
      const failures = this.retryLog.worked();
      if (failures > 0) log.info({ failures }, `${name} works again`);
    } catch (error) {
      this.retryLog.failed(error);
    }
    this.schedule();
  }
}
