/** The slots, `{{name}}`, of the frame of every e-mail (mail-frame.html): each mail fills them. */
export const MAIL_SLOTS = [
  'title',
  'preview',
  'brand',
  'headline',
  'lead',
  'link',
  'linkLabel',
  'facts',
  'items',
  'charges',
  'foot',
  'button',
  'onButton',
  'accent',
  'darkAccent',
] as const;
export type MailSlot = (typeof MAIL_SLOTS)[number];
