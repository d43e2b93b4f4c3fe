import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TABLES } from './reference/doc-tables.ts';
import { anchorsOf, CITING_FILES, faultsIn } from './references.ts';
import { textOf } from './source-files.ts';

test('every document, anchor, ADR and file that a comment or a document cites is in the repository', () => {
  assert.deepEqual(
    CITING_FILES.flatMap((file) => faultsIn(file, textOf(file))),
    [],
  );
});

test('a reference that leads nowhere is found', async (t) => {
  const inComment = (text: string) => faultsIn('src/made-up.ts', `/** ${text} */\nexport const x = 'gone.ts';\n`);
  const cases: readonly [what: string, faults: string[], expected: string[]][] = [
    ['a broken anchor', inComment('See docs/orders.md#no-such-heading.'), ['docs/orders.md#no-such-heading']],
    ['a document that is gone', inComment('See docs/gone.md.'), ['docs/gone.md']],
    ['an ADR that nobody wrote', inComment('See ADR 99.'), ['ADR 99']],
    ['a file that has moved', inComment('See src/lib/gone.ts and gone-too.ts.'), ['src/lib/gone.ts', 'gone-too.ts']],
    ['a folder that has moved', inComment('See src/gone/.'), ['src/gone/']],
    ['a paper from outside', inComment('(decisions, section 9)'), ['decisions, section']],
    ['a broken link', faultsIn('docs/feeds.md', 'See [hours](#no-hours).'), ['[hours](#no-hours)']],
    ['a link to another folder', faultsIn('docs/feeds.md', '[ADR](adr/0099-gone.md)'), ['[ADR](adr/0099-gone.md)']],
  ];
  for (const [what, faults, expected] of cases) {
    await t.test(what, () => {
      for (const one of expected)
        assert.ok(
          faults.some((fault) => fault.endsWith(`: ${one}`)),
          faults.join('\n'),
        );
    });
  }
  await t.test('and a link that leads somewhere isn’t', () => {
    const text =
      'docs/quotes.md#money, ADR 4, src/supply/pricing/price-order.ts, price-order.ts, `*-tables.ts`, src/platform/lib/';
    assert.deepEqual(inComment(text), []);
    assert.deepEqual(faultsIn('docs/places.md', '[ADR 9](adr/0009-what-is-kept-of-a-directory.md#x)').length, 1);
  });
});

test('anchors match GitHub’s anchors of headings', () => {
  const markdown = "# One place, one store\n## `pickup`, `delivery`\n## Google's food feed\n## Again\n## Again\n";
  assert.deepEqual(
    [...anchorsOf(`${markdown}\`\`\`\n# no heading\n\`\`\`\n`)],
    ['one-place-one-store', 'pickup-delivery', 'googles-food-feed', 'again', 'again-1'],
  );
});

test('the tables of error codes and events match the service: npm run doc-tables', () => {
  for (const [file, withTables] of Object.entries(TABLES)) assert.equal(textOf(file), withTables(textOf(file)));
});
