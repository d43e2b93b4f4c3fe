import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** Folder of installed packages: at the top of a clone, or above the installed service's package. */
export const PACKAGES = dirname(dirname(findPackageJSON('commander', import.meta.url) ?? import.meta.dirname));
/** Folder of compiled sources, alongside the packages; `bin/doorstep` uses it too. */
export const CACHE = join(PACKAGES, '.cache', 'doorstep');

/**
 * Environment for child processes that load our sources. Enabling the cache at run time would be too late, because
 * imports are compiled first. An unwritable folder is ignored.
 */
export const COMPILE_CACHE_ENV = { NODE_COMPILE_CACHE: CACHE } as const;
