import { join } from 'node:path';
import { bundledOnce } from '../lib/web-files.ts';

const FOLDER = join(import.meta.dirname, '../../web/console');

/** The files of the console, bundled once in a process. */
export const consoleFiles = bundledOnce(FOLDER, { script: 'main.tsx', style: 'console.css', icon: 'icon.svg' });
