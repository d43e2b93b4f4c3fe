import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lazyAsync } from '../../platform/lib/lazy-async.ts';

const FILE = join(import.meta.dirname, '../../notify/messages/mail-frame.html');

/** The HTML frame of emails with its placeholders, read once. */
export const mailFrame = lazyAsync(() => readFile(FILE, 'utf8'));
