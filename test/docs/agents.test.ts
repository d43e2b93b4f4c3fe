import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Agent, givenAgent } from '../given/agent.ts';
import { givenPizzeria, type Pizzeria } from '../given/pizzeria.ts';
import { textOf } from '../source-files.ts';
import { isShown } from './shown-answer.ts';

/** A tool call in the page: the tool on its own line, then its arguments and its response. */
const CALL = /(?:^|\. )`(\w+)`(?:, with [^\n]*)?:?\n\n```json\n([\s\S]*?)```\n```json\n([\s\S]*?)```/gm;
const CORRECTED = /`quote_order` again, with `("selected_options": \[.*\])`:\n\n```json\n([\s\S]*?)```/;
const PAGE = textOf('docs/agents.md');

let shop: Pizzeria;
let agent: Agent;
before(async () => {
  shop = await givenPizzeria();
  agent = await givenAgent(await shop.service.listen(), shop.key);
});
after(async () => {
  await agent.close();
  await shop.close();
});

test('the conversation of docs/agents.md runs as the page shows it', async () => {
  const calls = [...PAGE.matchAll(CALL)].map(([, tool = '', given = '', shown = '']) => ({ tool, given, shown }));
  const [, selected = '', quoted = ''] = CORRECTED.exec(PAGE) ?? [];
  const faulty = calls.findIndex(({ tool }) => tool === 'quote_order');
  const given = calls[faulty]?.given.replace(/"selected_options": \[[^\]]*\]/, selected) ?? '';
  calls.splice(faulty + 1, 0, { tool: 'quote_order', given, shown: quoted });
  assert.deepEqual(
    calls.map(({ tool }) => tool),
    ['search_stores', 'get_menu', 'get_product', 'quote_order', 'quote_order', 'place_order'],
  );
  const idsOfPage = new Map<string, string | undefined>([
    ['127.0.0.1:8080', new URL(shop.config.baseUrl).host],
    [idOf('store_id'), shop.storeId],
    [idOf('product_id'), shop.tokens.Margherita],
    [idOf('payment_method_id'), shop.card],
  ]);
  const seen = (text: string) => [...idsOfPage].reduce((so, [shown, own]) => so.replaceAll(shown, own ?? ''), text);
  for (const { tool, given, shown } of calls) {
    const { data, isError } = await agent.call(tool, JSON.parse(seen(given)));
    if (data.order_id !== undefined) idsOfPage.set(idOf('order_id'), data.order_id);
    if (data.tracking_link !== undefined) idsOfPage.set(keyIn(PAGE), keyIn(data.tracking_link));
    assert.equal(isError, 'faults' in data, tool);
    assert.ok(
      isShown(seen(shown), JSON.stringify(data)),
      `${tool} shows\n${shown}\nand answers\n${JSON.stringify(data)}`,
    );
  }
});

/** The tracking link's key in a text. */
function keyIn(text: string): string {
  return /&key=([\w-]+)/.exec(text)?.[1] ?? assert.fail(text);
}

/** The id that the page shows for a member in all its occurrences. */
function idOf(member: string): string {
  const [, id] = new RegExp(`"${member}": "([^"]+)"`).exec(PAGE) ?? [];
  assert.ok(id, member);
  return id;
}
