/** A command cannot do what it was asked to: one sentence for the person at the terminal, exit status 1. */
export class CommandFailure extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'CommandFailure';
  }
}

/** A signal ended the command before it was done; its exit status is the shell's: 128 and the signal's number. */
export class Interrupted extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`);
    this.name = 'Interrupted';
    this.signal = signal;
  }
}
