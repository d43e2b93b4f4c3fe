/** A loop over a queue table. Errors of single rows are recorded in the table; an error that `runOnce` throws is logged. */
export type Loop = {
  name: string;
  everyMs: number;
  /** Starts due work up to its limits and returns the number of started rows; does not wait for slow work. */
  runOnce(): Promise<number>;
  /** Ends when nothing that was started runs any more. */
  idle(): Promise<void>;
};
