import { createHash } from 'node:crypto';
import { splitWords } from 'doorstep/search-engine/text';
import { migrationNames } from '../../platform/db/migrations.ts';

/**
 * Identifies a node's stored search data: samples of it, the folding of letters, and the newest migration. A version
 * that stores something else has a different format, and reads nothing of this one.
 */
export async function storedFormat(samples: Iterable<string | Uint8Array>): Promise<string> {
  const format = createHash('sha256').update(`${(await migrationNames()).at(-1)} ${foldedLetters()}`);
  for (const sample of samples) format.update(sample);
  return format.digest('hex');
}

/** Characters per call, because `splitWords` may drop words of a longer text. */
const CHARACTERS_PER_CALL = 16;
const CODE_UNITS = 0x10000;

/** Returns every character as `splitWords` folds it with this version's rules and Unicode version. */
function foldedLetters(): string {
  let letters = '';
  for (let code = 0; code < CODE_UNITS; code += CHARACTERS_PER_CALL) {
    const codes = Array.from({ length: CHARACTERS_PER_CALL }, (_, nth) => code + nth);
    letters += `${splitWords(String.fromCharCode(...codes)).join(' ')},`;
  }
  return letters;
}
