import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { DINNER, givenMessageContext } from '../../../test/given/message-context.ts';
import { contrastOf } from '../../access/accounts/brand-colors.ts';
import type { BrandingChanges } from '../../access/accounts/branding.ts';
import { mailFrame } from '../../app/adapters/mail-frame.ts';
import { writeMessage } from './write-message.ts';

let frame: string;
before(async () => {
  frame = await mailFrame();
});

function mailOf(changes: BrandingChanges) {
  const context = givenMessageContext(DINNER, { texts: { notes: 'See https://notes.example' } });
  const branded = { ...context, branding: { ...context.branding, ...changes } };
  const settings = { mailFrom: 'Doorstep <mail@doorstep.example>', textFrom: undefined, frame };
  const { html, text } = writeMessage({ channel: 'email', kind: 'order_confirmation' }, branded, settings);
  return { html: html ?? '', text };
}

/** The button's background and text colors, and the link colors in light and dark mode. */
function colorsOf(html: string) {
  const [, area = ''] = /<td[^>]* bgcolor="(#[0-9a-f]{6})"/.exec(html) ?? [];
  const [, words = ''] = /<a[^>]*background:#[0-9a-f]{6};color:(#[0-9a-f]{6})/.exec(html) ?? [];
  const [, light = ''] = /\ba, \.brand div \{ color: (#[0-9a-f]{6})/.exec(html) ?? [];
  const [, dark = ''] = /\.card \.brand div \{ color: (#[0-9a-f]{6})/.exec(html) ?? [];
  return { area, words, light, dark };
}

test("a mail's button has the brand's color, and its accents are readable in light and dark", () => {
  for (const color of ['#fff200', '#00004d', '#ffffff', '#000000', '#b3261e']) {
    const { area, words, light, dark } = colorsOf(mailOf({ color }).html);
    assert.equal(area, color);
    const pairs = [[area, words], ...['#ffffff', '#f6f6f4'].map((ground) => [light, ground]), [dark, '#1c1f1c']];
    for (const [one = '', other = ''] of pairs) assert.ok(contrastOf(one, other) >= 4.5, `${color}: ${one} ${other}`);
  }
  assert.equal(colorsOf(mailOf({}).html).area, '#0b6b4a');
});

test("an account's help contact is in each of its mails, as links and as text", () => {
  const help = { helpUrl: 'https://help.example/?a=1&b', helpEmail: 'help@shop.example', helpPhone: '+12125550188' };
  const { html, text } = mailOf(help);
  assert.match(html, /<a href="https:\/\/help\.example\/\?a=1&amp;b">/);
  assert.match(html, /<a href="mailto:help@shop\.example">/);
  assert.match(html, /<a href="tel:\+12125550188">\(212\) 555-0188</);
  assert.match(
    text,
    /Need help\?\n {2}https:\/\/help\.example\/\?a=1&b\n {2}help@shop\.example\n {2}\(212\) 555-0188\n/,
  );
  assert.doesNotMatch(mailOf({}).html + mailOf({}).text, /Need help/);
  assert.doesNotMatch(mailOf({ helpUrl: 'javascript:alert(1)' }).html, /javascript/);
});
