import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../source-files.ts';
import { TABLES } from './doc-tables.ts';

// Writes the generated tables of refusal codes and events into their documents.
for (const [file, withTables] of Object.entries(TABLES)) {
  const path = join(ROOT, file);
  writeFileSync(path, withTables(readFileSync(path, 'utf8')));
}
