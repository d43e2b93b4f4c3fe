/** A command's failure. The message is one sentence for the terminal. */
export class CommandFailure extends Error {
  /** 1, or 2 for misuse. */
  readonly exitStatus: 1 | 2;

  constructor(sentence: string, { exitStatus = 1, ...options }: { cause?: unknown; exitStatus?: 1 | 2 } = {}) {
    super(sentence, options);
    this.name = 'CommandFailure';
    this.exitStatus = exitStatus;
  }
}

/** A signal ended the command. The exit status is 128 plus its number, as in shells. */
export class Interrupted extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`);
    this.name = 'Interrupted';
    this.signal = signal;
  }
}
