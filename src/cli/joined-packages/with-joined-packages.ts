import { CACHE, PACKAGES } from '../../lib/compile-cache.ts';
import { loadJoinedPackages } from './load-joined-packages.ts';

/** To be imported before every other module of a process: by `bin/doorstep`, or by `--import` of Node.js. */
await loadJoinedPackages(PACKAGES, CACHE);
