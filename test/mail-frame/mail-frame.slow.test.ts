import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compileMailFrame, MAIL_FRAME } from './compile.ts';

test('the frame of email is what MJML makes of its source: npm run mail-frame writes it', async () => {
  assert.equal(readFileSync(MAIL_FRAME, 'utf8'), await compileMailFrame());
});
