import { execFileSync } from 'node:child_process';
import { ROOT, textOf } from '../source-files.ts';

export type Instruction = { name: string; flags: Record<string, string>; text: string; words: string[] };
export type Stage = { base: string; name: string; instructions: Instruction[] };

/**
 * Parses a Dockerfile into its stages. Throws on a line that is not an instruction; here-documents and escapes are not
 * supported.
 */
export function parseDockerfile(text: string): Stage[] {
  const lines = text.replace(/^[ \t]*#.*\n/gm, '').replace(/\\\n\s*/g, '');
  const stages: Stage[] = [];
  for (const line of lines.split('\n').filter((each) => each.trim() !== '')) {
    const [, name, rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`No instruction of a Dockerfile: ${line}`);
    if (name === 'FROM') {
      const [base = '', , as = ''] = rest.split(/\s+/);
      stages.push({ base, name: as, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (!stage) throw new Error(`An instruction before FROM: ${line}`);
    const [leading = ''] = /^(?:--[\w-]+=\S+\s+)*/.exec(rest) ?? [];
    const flags = Object.fromEntries(
      [...leading.matchAll(/--([\w-]+)=(\S+)/g)].map(([, flag, value]) => [flag, value]),
    );
    const plain = rest.slice(leading.length);
    const words = plain.startsWith('[') ? JSON.parse(plain) : plain.trim().split(/\s+/);
    stage.instructions.push({ name, flags, text: plain, words });
  }
  return stages;
}

/** True if a build ignores a file: the last pattern that matches the file or one of its folders decides. */
export function isLeftOut(patterns: readonly string[], file: string): boolean {
  const parts = file.split('/');
  const paths = parts.map((_, n) => parts.slice(0, n + 1).join('/'));
  let out = false;
  for (const pattern of patterns) {
    const matches = expressionOf(pattern.replace(/^!/, ''));
    if (paths.some((path) => matches.test(path))) out = !pattern.startsWith('!');
  }
  return out;
}

function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\*\*\/|\*|\?/g, (part) => ({ '**/': '(?:.*/)?', '*': '[^/]*', '?': '[^/]' })[part] ?? part);
  return new RegExp(`^${source}$`);
}

export const linesOf = (file: string): string[] =>
  textOf(file)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Every file tracked by the repository. */
export const keptFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\0')
    .filter((file) => file !== '');
