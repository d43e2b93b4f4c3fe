import { createHook } from 'node:async_hooks';

/**
 * Preloaded into each process of `npm test`. The test runner follows each promise of a process, to name the test whose
 * error nobody caught: a tenth of the processor time of a test that makes many requests. Without its hook such an error
 * still fails the file (without-promise-hooks.test.ts). The service itself has no such hook.
 */
const hooks = Object.getPrototypeOf(createHook({})) as { enable(): object };
const { enable } = hooks;
hooks.enable = function (this: object) {
  const isOfRunner = new Error('Who enables it?').stack?.includes('node:internal/test_runner/') === true;
  return isOfRunner ? this : enable.call(this);
};
