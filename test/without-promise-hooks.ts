import { createHook } from 'node:async_hooks';

/**
 * Preloaded into each process of `npm test`. The test runner follows each promise of a process, to name the test whose
 * error nobody caught: a tenth of the processor time of a test that makes many requests. Without its hook such an error
 * still fails the file (without-promise-hooks.test.ts). The service itself has no such hook.
 */
const hooks = Object.getPrototypeOf(createHook({})) as { enable(): object };
const { enable } = hooks;
hooks.enable = function (this: object) {
  const [, , caller] = new Error('the frames of this call').stack?.split('\n') ?? [];
  return caller?.includes('node:internal/test_runner/') ? this : enable.call(this);
};
