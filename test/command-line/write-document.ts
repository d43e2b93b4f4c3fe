import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgram } from '../../src/app/cli/main.ts';
import { commandLineDocument } from './document.ts';

// Writes docs/command-line.md from the command definitions.
writeFileSync(join(import.meta.dirname, '../../docs/command-line.md'), commandLineDocument(await createProgram()));
