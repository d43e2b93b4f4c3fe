import { CLOSE_TIMEOUT_MS } from '../../src/app/cli/interruption.ts';
import { textOf } from '../source-files.ts';
import { parseDockerfile } from './dockerfile.ts';

const image = parseDockerfile(textOf('deploy/Dockerfile')).at(-1);
/** What an instruction of the image says. */
export const imageValue = (name: string) => image?.instructions.find((each) => each.name === name)?.text ?? '';
/** The settings of the image. */
export const imageEnv = Object.fromEntries(
  imageValue('ENV')
    .split(/\s+/)
    .map((pair) => pair.split('=')),
) as Record<string, string>;
/** The seconds that a node has for its end, at the least: its own, and some for the process itself. */
export const LEAST_STOP_SECONDS = CLOSE_TIMEOUT_MS / 1000 + 5;
