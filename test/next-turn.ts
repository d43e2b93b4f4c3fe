/** Resolves when the event loop has gone round: what was ready to run has run. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
