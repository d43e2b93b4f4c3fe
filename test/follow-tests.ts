import asyncHooks, { type AsyncHook } from 'node:async_hooks';

/** The hook by which the runner follows each promise of the process, from a test to what the test started. */
let runnersHook: AsyncHook | undefined;

/**
 * Preloaded into each process of `npm test`. The runner finds the suite of a test that a file names by a hook that follows
 * each promise, which is a tenth of the processor time of a test that makes many requests. No test names another test
 * while it runs, so the hook is needed only while files are loaded.
 */
const create = asyncHooks.createHook;
asyncHooks.createHook = (callbacks) => {
  asyncHooks.createHook = create;
  runnersHook = create(callbacks);
  return runnersHook;
};

/** From here on the runner finds the suite of each test that a file names. */
export const followTests = (): void => void runnersHook?.enable();

/** From here on a test may name no other but by its context. */
export const unfollowTests = (): void => void runnersHook?.disable();
