import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lazyAsync } from '../../platform/lib/lazy-async.ts';

const FILE = join(import.meta.dirname, '../../notify/messages/mail-frame.html');

/** The frame of email as HTML with its slots still open, read once. A mail is a replacement in this text. */
export const mailFrame = lazyAsync(() => readFile(FILE, 'utf8'));
