import { join } from 'node:path';
import { bundledOnce } from '../lib/web-files.ts';

const FOLDER = join(import.meta.dirname, '../../web/driver');

/** The files of the driver's page, bundled once in a process. */
export const driverFiles = bundledOnce(FOLDER, { script: 'page.ts', style: 'page.css', icon: 'icon.svg' });
