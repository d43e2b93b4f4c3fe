import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PICTURES } from '../../demo/pictures.ts';
import { createDrawing, PICTURE_FOLDER } from './pictures.ts';
import { drawStreets, STREET_FILE } from './streets.ts';

/** `npm run demo-files`: draws the demo's pictures and streets after a change of their tables. */
const draw = await createDrawing();
for (const picture of PICTURES) writeFileSync(join(PICTURE_FOLDER, `${picture}.webp`), await draw(picture));
writeFileSync(STREET_FILE, drawStreets());
