import { copyFileSync } from 'node:fs';
import { COPIED_FILES } from './copied-files.ts';

for (const [copy, original] of COPIED_FILES) copyFileSync(original, copy);
