import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder that npm installed the packages in: at the top of a clone, or above the installed package of the service. */
export const PACKAGES = dirname(dirname(findPackageJSON('commander', import.meta.url) ?? import.meta.dirname));
/** Compiled sources are kept beside the packages, by `bin/doorstep` too. */
export const CACHE = join(PACKAGES, '.cache', 'doorstep');

/**
 * The environment of a process that loads sources of ours. A process that turns the cache on by itself has compiled all
 * its imports before. A folder that cannot be written is no fault.
 */
export const WITH_COMPILE_CACHE = { NODE_COMPILE_CACHE: CACHE } as const;
