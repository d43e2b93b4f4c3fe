import asyncHooks, { type AsyncHook } from 'node:async_hooks';

/**
 * Preloaded into each process of `npm test`. The runner finds the suite of a test by a hook that follows every promise,
 * which takes a fifth of the processor time of a test of the service. Tests are named while their file is loaded, and a
 * test names others by its context: the hook is needed only while files are loaded.
 */
let runnersHook: AsyncHook | undefined;
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
