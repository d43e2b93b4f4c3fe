import asyncHooks, { type AsyncHook } from 'node:async_hooks';

/**
 * Preloaded into each process of `npm test`. The runner finds a test's suite by a hook on every promise, at a fifth of
 * the processor time. Tests are declared while files load, so the hook is disabled afterwards.
 */
let runnersHook: AsyncHook | undefined;
const create = asyncHooks.createHook;
asyncHooks.createHook = (callbacks) => {
  asyncHooks.createHook = create;
  runnersHook = create(callbacks);
  return runnersHook;
};

/** Enables the runner's hook, which finds the suite of each declared test. */
export const followTests = (): void => void runnersHook?.enable();

/** Disables the hook: a test can then declare subtests only through its context. */
export const unfollowTests = (): void => void runnersHook?.disable();
