import { join } from 'node:path';
import type { Config } from '../config.ts';
import { bundledOnce } from '../lib/web-files.ts';
import type { ConsoleFrame } from './console.page.ts';

const FOLDER = join(import.meta.dirname, '../../web/console');

/** The files of the console, bundled once in a process. */
export const consoleFiles = bundledOnce(FOLDER, { script: 'main.tsx', style: 'console.css', icon: 'icon.svg' });

/** The paths of the console's files and of the service. They begin with the path of BASE_URL. */
export async function consoleFrame({ baseUrl }: Pick<Config, 'baseUrl'>, now: Temporal.Instant): Promise<ConsoleFrame> {
  const files = await consoleFiles();
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const pathOf = ({ name }: { name: string }) => `${base}/console/assets/${name}`;
  return {
    ...{ base, now, iconPath: pathOf(files.icon), scriptPath: pathOf(files.script), stylePath: pathOf(files.style) },
  };
}
