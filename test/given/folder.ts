import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { atFileEnd } from '../runner/run-files.ts';

/** A temporary folder. It's removed at the end of the test, or after all hooks of the file if `t` is missing. */
export function givenFolder(name: string, t?: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  if (t) t.after(remove);
  else atFileEnd(remove);
  return folder;
}
