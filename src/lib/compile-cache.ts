import { join } from 'node:path';

/**
 * The environment of a process that loads sources of ours: compiled sources are kept beside the packages, where
 * `bin/doorstep` keeps its own. A process that turns the cache on by itself has compiled all its imports before. A folder
 * that cannot be written is no fault.
 */
export const WITH_COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/doorstep'),
} as const;
