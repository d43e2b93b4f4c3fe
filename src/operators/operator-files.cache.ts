import { join } from 'node:path';
import { bundledOnce } from '../lib/web-files.ts';

const FOLDER = join(import.meta.dirname, '../../web/operator');

/** The files of the operator's view, bundled once in a process. */
export const operatorFiles = bundledOnce(FOLDER, { script: 'page.tsx', style: 'page.css', icon: 'icon.svg' });
