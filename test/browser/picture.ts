import { mkdtempSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';

/** The pictures of the documents are made by `npm run pictures`, which sets UPDATE_SCREENSHOTS. */
const FOLDER = process.env.SCREENSHOTS ?? join(import.meta.dirname, '../../docs/images');
export const skip = process.env.UPDATE_SCREENSHOTS ? false : 'made when UPDATE_SCREENSHOTS is set';
if (!skip) preferOpenSans();

/** Letters and drawings need few colors. */
const PNG = { palette: true, colors: 64, dither: 0.3, compressionLevel: 9, effort: 10 };
/** Pixels between the views of a sheet, and around them. */
const GAP = 16;

/** A screenshot, once the page's pictures are there. */
export async function takePicture(page: Page, fullPage = false): Promise<Buffer> {
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {});
  return page.screenshot({ fullPage, animations: 'disabled' });
}

/** Writes a picture of the documents. */
export async function keepPicture(page: Page, name: string, fullPage = false): Promise<void> {
  await writePicture(name, sharp(await takePicture(page, fullPage)));
}

/** Writes views as one picture, a row below the other. */
export async function keepSheet(name: string, rows: readonly (readonly Buffer[])[]): Promise<void> {
  const tiles: { input: Buffer; left: number; top: number }[] = [];
  let [width, top] = [0, GAP];
  for (const row of rows) {
    let [left, bottom] = [GAP, top];
    for (const input of row) {
      const size = await sharp(input).metadata();
      tiles.push({ input, left, top });
      left += size.width + GAP;
      bottom = Math.max(bottom, top + size.height + GAP);
    }
    [width, top] = [Math.max(width, left), bottom];
  }
  const sheet = sharp({ create: { width, height: top, channels: 3, background: '#8b8f96' } }).composite(tiles);
  await writePicture(name, sheet);
}

async function writePicture(name: string, picture: Sharp): Promise<void> {
  await writeFile(join(FOLDER, `${name}.png`), await picture.png(PNG).toBuffer());
}

/** Uses the browser package's font, closest to a phone's, on systems without fonts. For screenshots. */
function preferOpenSans(): void {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-fonts-'));
  const prefer = (family: string) =>
    `<match target="pattern"><test name="family"><string>${family}</string></test><edit name="family" mode="prepend" binding="strong"><string>Open Sans</string></edit></match>`;
  writeFileSync(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>/usr/share/fonts</dir><dir>${tmpdir()}/fonts</dir><cachedir>${folder}</cachedir>${prefer('system-ui')}</fontconfig>`,
  );
  process.env.FONTCONFIG_FILE = join(folder, 'fonts.conf');
}
