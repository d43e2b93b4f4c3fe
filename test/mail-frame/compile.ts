import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIL_SLOTS, type MailSlot } from '../../src/notify/messages/mail-bodies.ts';
import { loadApart } from '../apart-packages.ts';

type Compiled = { html: string; errors: { message: string }[] };
type Mjml = { compile(source: string, options: object): Promise<Compiled> };

const FOLDER = join(import.meta.dirname, '../../src/notify/messages');
const SOURCE = join(FOLDER, 'mail-frame.mjml');
export const MAIL_FRAME = join(FOLDER, 'mail-frame.html');

/** MJML rejects placeholders as colors: these unused colors stand for the slots in the source. */
const COLOR_MARKS: Readonly<Record<string, MailSlot>> = {
  '#010a01': 'button',
  '#010a02': 'onButton',
  '#010a03': 'accent',
  '#010a04': 'darkAccent',
};

/** Compiles the mail frame to tables that all mail clients render alike. Throws if a slot is missing. */
export async function compileMailFrame(): Promise<string> {
  const { compile } = await loadApart<Mjml>(join(import.meta.dirname, './package'));
  // Drops the source's top comment. No web fonts: opening a mail must not call a third party.
  const source = readFileSync(SOURCE, 'utf8').replace(/^<!--.*?-->\n/s, '');
  const { html: marked, errors } = await compile(source, { fonts: {}, validationLevel: 'strict', keepComments: true });
  const html = Object.entries(COLOR_MARKS).reduce((text, [mark, slot]) => text.replaceAll(mark, `{{${slot}}}`), marked);
  const missing = MAIL_SLOTS.filter((slot) => !html.includes(`{{${slot}}}`));
  const faults = [...errors.map((error) => error.message), ...missing];
  if (faults.length > 0) throw new Error(`The frame of email is wrong: ${faults.join(', ')}`);
  // MJML writes the hidden preview in white on light gray, which spam filters score as hidden text.
  return html.replace('color:#ffffff;line-height:1px', 'color:#5b6470;line-height:1px').replace(/\n\s*\n+/g, '\n');
}
