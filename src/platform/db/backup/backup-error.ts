/** A backup that cannot be written, read or restored; the message is one sentence for the terminal. */
export class BackupError extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'BackupError';
  }
}
