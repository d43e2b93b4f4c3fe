/** A command fails: the message is one sentence for the person at the terminal. */
export class CommandFailure extends Error {
  /** 1, or 2 for a command that was misused. */
  readonly exitStatus: 1 | 2;

  constructor(sentence: string, { exitStatus = 1, ...options }: { cause?: unknown; exitStatus?: 1 | 2 } = {}) {
    super(sentence, options);
    this.name = 'CommandFailure';
    this.exitStatus = exitStatus;
  }
}

/** A signal ended the command early. The exit status is that of a shell: 128 plus the number of the signal. */
export class Interrupted extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`);
    this.name = 'Interrupted';
    this.signal = signal;
  }
}
