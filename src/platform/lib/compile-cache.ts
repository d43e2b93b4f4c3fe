import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of installed packages: at the top of a clone, or above the installed service's package. */
export const PACKAGES = dirname(dirname(findPackageJSON('commander', import.meta.url) ?? import.meta.dirname));
/** Compiled sources are cached beside the packages, also by `bin/doorstep`. */
export const CACHE = join(PACKAGES, '.cache', 'doorstep');

/**
 * The environment for processes that load our sources: enabling the cache at run time would come after all imports are
 * compiled. An unwritable folder is no fault.
 */
export const WITH_COMPILE_CACHE = { NODE_COMPILE_CACHE: CACHE } as const;
