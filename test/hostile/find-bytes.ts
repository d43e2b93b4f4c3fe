import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every form where an integer could be stored in a file: digits, grouped or not, in several encodings, and binary.
 */
export function formsOfNumber(digits: string): Buffer[] {
  const groups = digits.match(/\d{1,4}/g) ?? [];
  const texts = [digits, groups.join(' '), groups.join('-'), Buffer.from(digits).toString('hex')];
  const little = Buffer.alloc(8);
  little.writeBigUInt64LE(BigInt(digits));
  const wide = Buffer.from(digits, 'utf16le');
  return [...texts.map((text) => Buffer.from(text)), wide, little, Buffer.from(little).reverse(), numericOf(digits)];
}

/** PostgreSQL `numeric`, as jsonb stores numbers: base-10000 digits, two bytes each. */
export function numericOf(digits: string): Buffer {
  const padded = digits.padStart(Math.ceil(digits.length / 4) * 4, '0');
  const groups = (padded.match(/\d{4}/g) ?? []).map(Number);
  const bytes = Buffer.alloc(groups.length * 2);
  groups.forEach((group, at) => {
    bytes.writeUInt16LE(group, at * 2);
  });
  return bytes;
}

export function* filesBelow(folder: string): Generator<{ file: string; bytes: Buffer }> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    yield { file, bytes: readFileSync(file) };
  }
}
