/** A command fails: the message is one sentence for the person at the terminal; the exit status is 1. */
export class CommandFailure extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'CommandFailure';
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
