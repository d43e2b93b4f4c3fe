import { writeFileSync } from 'node:fs';
import { subsetFonts } from './subset-fonts.ts';

for (const [path, bytes] of await subsetFonts()) writeFileSync(path, bytes);
