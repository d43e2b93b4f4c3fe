/** Work that waits in a table of its own. Errors of single pieces are recorded there; what `runOnce` throws is logged. */
export type Loop = {
  name: string;
  everyMs: number;
  /** Starts whatever is due, as far as its limits allow, and returns how much that was; slow work is not waited for. */
  runOnce(): Promise<number>;
  /** Ends when nothing that was started runs any more. */
  idle(): Promise<void>;
};
