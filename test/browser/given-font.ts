import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Uses the browser package's font, closest to a phone's, on systems without fonts. For screenshots. */
export function preferOpenSans(): void {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-fonts-'));
  const prefer = (family: string) =>
    `<match target="pattern"><test name="family"><string>${family}</string></test><edit name="family" mode="prepend" binding="strong"><string>Open Sans</string></edit></match>`;
  writeFileSync(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>/usr/share/fonts</dir><dir>${tmpdir()}/fonts</dir><cachedir>${folder}</cachedir>${prefer('system-ui')}</fontconfig>`,
  );
  process.env.FONTCONFIG_FILE = join(folder, 'fonts.conf');
}
