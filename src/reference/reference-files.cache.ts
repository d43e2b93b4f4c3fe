import { join } from 'node:path';
import { bundledOnce } from '../lib/web-files.ts';

const FOLDER = join(import.meta.dirname, '../../web/reference');

/** The files of the reference, bundled once in a process. */
export const referenceFiles = bundledOnce(FOLDER, { script: 'page.ts', style: 'page.css', icon: 'icon.svg' });
