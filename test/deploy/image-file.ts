import { CLOSE_TIMEOUT_MS } from '../../src/app/cli/interruption.ts';
import { readSettings } from '../../src/app/wiring/read-settings.ts';
import { textOf } from '../source-files.ts';
import { parseDockerfile } from './dockerfile.ts';

const image = parseDockerfile(textOf('deploy/Dockerfile')).at(-1);
/** The value of an image instruction. */
export const imageValue = (name: string) => image?.instructions.find((each) => each.name === name)?.text ?? '';
/** The image's environment variables. */
export const imageEnv = Object.fromEntries(
  imageValue('ENV')
    .split(/\s+/)
    .map((pair) => pair.split('=')),
) as Record<string, string>;
/** Minimum stop timeout of a node: it drains, closes, and has some seconds for the process. */
export const LEAST_STOP_SECONDS = readSettings({}).drainSeconds + CLOSE_TIMEOUT_MS / 1000 + 5;
