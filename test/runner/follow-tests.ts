import asyncHooks, { type AsyncHook } from 'node:async_hooks';

/**
 * Preloaded into each process of `npm test`. The runner finds a test's suite by a hook on every promise, which takes a
 * fifth of the processor time. Tests are named while files load, so the hook is needed only then.
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
