// covers: web/fonts/*, test/fonts/*
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../source-files.ts';
import { subsetFonts } from './subset-fonts.ts';

test('brand fonts match the locked packages: npm run fonts writes them', async () => {
  for (const [path, bytes] of await subsetFonts()) assert.ok(readFileSync(join(ROOT, path)).equals(bytes), path);
});
