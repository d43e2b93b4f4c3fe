import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };

/** The running version, and its commit: from `npm pack`'s manifest, or the HEAD of a clone. */

const ROOT = join(import.meta.dirname, '../../..');
/** Maximum size of a file of git. A line of `packed-refs` has about 70 bytes. */
const MAX_BYTES = 4 * 1024 * 1024;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const SHOWN_CHARACTERS = 12;

const packed: { version: string; commit?: string } = manifest;
export const VERSION = packed.version;
/** Null in a folder without git, such as an unpacked archive of the sources. */
export const BUILD_COMMIT = packed.commit ?? readCommit(ROOT) ?? null;
export const BUILD = BUILD_COMMIT ? `${VERSION} (${BUILD_COMMIT.slice(0, SHOWN_CHARACTERS)})` : VERSION;

/** The commit of the clone in the folder, also of a worktree, read without running git; undefined if there is none. */
export function readCommit(root: string): string | undefined {
  const link = /^gitdir: ([^\n\0]+)$/.exec(read(join(root, '.git')) ?? '')?.[1];
  const folder = resolve(root, link ?? '.git');
  const head = read(join(folder, 'HEAD')) ?? '';
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (ref === undefined || ref.includes('..')) return commitIn(head);
  const shared = resolve(folder, read(join(folder, 'commondir')) ?? '.');
  return commitIn(read(join(shared, ref)) ?? packedRef(read(join(shared, 'packed-refs')) ?? '', ref));
}

function commitIn(text: string): string | undefined {
  return COMMIT.test(text) ? text : undefined;
}

function packedRef(text: string, ref: string): string {
  const line = text.split('\n').find((each) => each.endsWith(` ${ref}`)) ?? '';
  return line.slice(0, -ref.length - 1);
}

/** The text of a file without its line end; undefined if it is no file, cannot be read or is too long. */
function read(path: string): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(path, 'utf8').trimEnd() : undefined;
  } catch {
    return undefined;
  }
}
