import { join } from 'node:path';
import { bundleWebFiles, type WebFiles } from '../lib/web-files.ts';

const FOLDER = join(import.meta.dirname, '../../web/console');
const SOURCES = { script: 'main.tsx', style: 'console.css', icon: 'icon.svg' } as const;

let bundled: Promise<WebFiles<keyof typeof SOURCES>> | undefined;

/** The files of the console, bundled once in a process, at the first call. A failed bundle is tried again. */
export function consoleFiles(): Promise<WebFiles<keyof typeof SOURCES>> {
  bundled ??= bundleWebFiles(FOLDER, SOURCES).catch((error) => {
    bundled = undefined;
    throw error;
  });
  return bundled;
}
