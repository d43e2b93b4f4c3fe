import { writeFileSync } from 'node:fs';
import { compileMailFrame, MAIL_FRAME } from './compile.ts';

writeFileSync(MAIL_FRAME, await compileMailFrame());
