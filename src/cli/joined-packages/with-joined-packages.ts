import { join } from 'node:path';
import { loadJoinedPackages } from './load-joined-packages.ts';

/** To be imported before every other module of a process: by `bin/doorstep`, or by `--import` of Node.js. */
const PACKAGES = join(import.meta.dirname, '../../../node_modules');
await loadJoinedPackages(PACKAGES, join(PACKAGES, '.cache', 'doorstep'));
