import { MAIL_COLOR_MARKS, MAIL_FRAME_MJML, MAIL_SLOTS } from '../../messages/mail-frame.ts';

/**
 * The frame of e-mail as HTML with its slots still open. MJML takes a third of a second to load and some ten milliseconds
 * to compile: both happen once, at the first call, and a mail is then a replacement in a text.
 */
export function createMailFrame(): () => Promise<string> {
  let frame: Promise<string> | undefined;
  return () => {
    frame ??= compileFrame();
    return frame;
  };
}

async function compileFrame(): Promise<string> {
  const { default: compile } = await import('mjml');
  // No web fonts: opening the mail must cause no request to a third party.
  const { html: marked, errors } = await compile(MAIL_FRAME_MJML, {
    fonts: {},
    validationLevel: 'strict',
    keepComments: true,
  });
  const html = Object.entries(MAIL_COLOR_MARKS).reduce(
    (text, [mark, slot]) => text.replaceAll(mark, `{{${slot}}}`),
    marked,
  );
  const missing = MAIL_SLOTS.filter((slot) => !html.includes(`{{${slot}}}`));
  if (errors.length > 0 || missing.length > 0) {
    throw new Error(
      `The frame of e-mail is wrong: ${[...errors.map((error) => error.message), ...missing].join(', ')}`,
    );
  }
  return html.replace(/\n\s*\n+/g, '\n');
}
