import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../messages/mail-frame.html');

/** The frame of e-mail as HTML with its slots still open, read once. A mail is a replacement in this text. */
export function createMailFrame(): () => Promise<string> {
  let frame: Promise<string> | undefined;
  return () => {
    frame ??= readFile(FILE, 'utf8');
    return frame;
  };
}
