import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import type { TSchema } from 'typebox';
import { createProgram } from '../../src/app/cli/main.ts';
import { OLD_OPTIONS, withNewNames } from '../../src/app/cli/old-names.ts';
import { ALL, valuesOfLine } from '../../src/app/cli/operation-command.ts';

/** Command lines that scripts rely on, with every option they promise, and the fields of the answer. */
const PROMISED: readonly (readonly [line: string, fields?: string])[] = [
  ['accounts create NAME', 'account_id name'],
  ['keys create --account ID --live', 'key_id key mode'],
  ['keys list'],
  ['keys revoke KEY_ID'],
  [
    'branding set --account ID --display-name S --logo-url URL --from ADDRESS --bcc ADDRESS --favicon /dev/null --tracking-host HOST',
  ],
  ['branding set --account ID --terms-url URL --privacy-url URL --shop sandbox --shop-stores all --shop-near ADDRESS'],
  ['stores list --source S', 'stores stores.store_id stores.external_id stores.name'],
  ['stores set STORE_ID --online-ordering off --accept-delivery off --accept-pickup on', 'store_id external_id name'],
  ['stores set STORE_ID --tax-class grocery --tax-id 12-345 --tax-id 67 --markup on --kitchen-orders 4 --prep auto'],
  ['products set STORE_ID PRODUCT_EXTERNAL_ID --available on --qty 3', 'external_id available qty_available'],
  ['products set STORE_ID PRODUCT_EXTERNAL_ID --available off --qty none'],
  ['orders show ORDER_ID', 'order events charges messages webhook_deliveries'],
  ['orders show ORDER_ID', 'offers.channel offers.sent_at offers.state offers.acknowledged_at'],
  ['orders advance ORDER_ID confirm'],
  ['orders tip ORDER_ID --tip 800 --reason late'],
  ['orders refund ORDER_ID --item 0:1 --tip --reason cold'],
  [
    'stores channels STORE_ID --email A --sms PHONE --webhook URL --printer HOST:9100 --operator on',
    'store_id channels channels.channel channels.target channels.state channels.signing_secret',
  ],
  ['stores channels STORE_ID --auto-confirm 15'],
  ['stores channels STORE_ID --auto-confirm off --email off'],
  ['stores channels STORE_ID', 'store_id channels.channel channels.target channels.state'],
  ['stores courier STORE_ID --gateway none'],
  ['stores courier STORE_ID'],
  ['stores invite STORE_ID', 'code expires_at'],
  ['stores key STORE_ID --sandbox ACCOUNT_ID'],
  ['accounts set ACCOUNT_ID --declines-per-hour-user 5 --declines-per-hour-card 5 --declines-per-hour-key=unlimited'],
  ['accounts set ACCOUNT_ID --negative-markup on --language fr --agent-orders handover --agent-unpaid on'],
  ['accounts set ACCOUNT_ID --sms-budget 5 --email-budget 5 --unplaced-bytes-budget default'],
  ['webhooks rotate --account ID --live --overlap 48', 'signing_secret'],
  ['webhooks rotate --account ID'],
  ['webhooks rotate --store ID --overlap 0', 'signing_secret'],
  ['webhooks list --account ID', 'webhook_deliveries.webhook_id webhook_deliveries.state'],
  ['webhooks --account ID'],
  ['webhooks replay WEBHOOK_ID'],
  ['tokens rotate --no-overlap'],
  ['users forget ACCOUNT_ID USER_ID --sandbox'],
  ['ucp bind ACCOUNT --platform https://agent.example/ucp --mode sandbox', 'profile_url account_id orders'],
  ['ucp bind ACCOUNT --platform https://agent.example/ucp --live --orders place'],
  ['ucp rotate-key --now'],
  ['products list STORE_ID --search soda'],
  ['stores terms STORE_ID --commission 15 --per-order-cents 0 --delivery-fee store --tip driver --tax operator'],
  ['statements --month 2026-11 --store ID --csv'],
  ['statements close --month 2026-11'],
  ['stores agreement STORE_ID --signed-on 2026-11-01 --by NAME --reference TEXT'],
  ['stores delist STORE_ID --reason closed'],
  ['taxes --month 2026-11 --csv'],
  ['duties --state CA'],
  ['agents client add ACCOUNT --name Helper --redirect https://app.example/callback --public'],
  ['promotions change PROMOTION_ID --agreed-by NAME --agreed-on 2026-11-01 --reason agreed'],
];

const program = await createProgram();

/** The command and the options as the command line reads them, without running anything. */
function parse(line: string): { name: string; command: Command; operands: string[]; unknown: string[] } {
  const args = withNewNames(line.split(' '), 0);
  const path: string[] = [];
  let command: Command = program;
  for (let next: Command | undefined = command; next !== undefined; ) {
    command = next;
    const [word = ''] = args;
    next = command.commands.find((one) => one.name() === word);
    if (next) path.push(args.shift() ?? '');
  }
  const isDefault = command.commands.length > 0;
  if (isDefault) {
    const child = (command as unknown as { _defaultCommandName?: string })._defaultCommandName ?? '';
    command = command.commands.find((one) => one.name() === child) ?? assert.fail(`${line}: names no command`);
    path.push(child);
  }
  return { name: path.join(' '), command, ...command.parseOptions(args) };
}

for (const [line, fields = ''] of PROMISED) {
  test(`doorstep ${line}`, () => {
    const { name, command, operands, unknown } = parse(line);
    assert.deepEqual(unknown, [], `${name} does not know these`);
    assert.ok(operands.length <= command.registeredArguments.length, `${name} takes fewer arguments`);
    const endpoints = ALL.filter(({ command: usage }) =>
      [usage ?? []].flat().some((one) => one.replace(/ <.*/, '') === name),
    );
    const written = / \{ ([^}]*) \}/.exec(command.options.find(({ long }) => long === '--json')?.description ?? '');
    const answers = endpoints.map(({ answer }) => answer);
    for (const path of fields.split(' ').filter(Boolean)) {
      const isWritten = written?.[1]?.split(/, /).includes(path) === true;
      assert.ok(isWritten || answers.some((answer) => hasField(answer, path.split('.'))), `${name} answers no ${path}`);
    }
  });
}

type Described = { properties?: Record<string, TSchema>; items?: TSchema; anyOf?: TSchema[] };

function hasField(schema: TSchema, [name = '', ...rest]: readonly string[]): boolean {
  const { properties = {}, items, anyOf = [] } = schema as Described;
  const inner = properties[name];
  if (inner !== undefined) return rest.length === 0 || hasField(inner, rest);
  return [items ?? [], anyOf].flat().some((one) => hasField(one, [name, ...rest]));
}

test('every old option means an option of its command', () => {
  for (const [name, options] of Object.entries(OLD_OPTIONS)) {
    for (const [old, today] of Object.entries(options)) {
      const [option = ''] = today.split(' ');
      const { command } = parse(name);
      assert.ok(
        command.options.some(({ long }) => long === option),
        `${name} ${old} is ${today}`,
      );
      assert.ok(!command.options.some(({ long }) => long === old), `${name} ${old} is an option of its own`);
    }
  }
});

test('an old name in a line of --file is read as the option on the command line', () => {
  const read = (command: string, line: Record<string, unknown>) =>
    valuesOfLine(ALL.find(({ command: usage }) => usage === `${command} <store_id>`) ?? assert.fail(), line);
  const line = { store_id: 'a', operator: false, email: 'a@b.example' };
  assert.deepEqual(read('stores channels', { ...line, auto_confirm: 20 }), { ...line, auto_confirm_minutes: 20 });
  const off = { remove: ['auto_confirm', 'email'] };
  assert.deepEqual(read('stores channels', { auto_confirm: 'off', email: 'off' }), off);
  assert.deepEqual(read('stores set', { gateway: 'none' }), { courier: 'none' });
  assert.deepEqual(read('stores set', { tax_id: '12-345' }), { tax_ids: ['12-345'] });
  assert.throws(() => read('stores channels', { auto_confirm: 'soon' }), /must be a number/);
  assert.throws(() => read('stores set', { auto_confirm: 5 }), /auto_confirm is not a field/);
});

test('a value that looks like an old name stays a value, and nothing after -- is renamed', () => {
  assert.deepEqual(withNewNames(['--env-file', 'x', 'products', 'set', 's', 'p', '--qty=3'], 2), [
    ...['--env-file', 'x', 'products', 'set', 's', 'p', '--qty-available', '3'],
  ]);
  assert.deepEqual(withNewNames(['products', 'set', 's', '--', '--qty'], 0), ['products', 'set', 's', '--', '--qty']);
  for (const args of [[], ['--version'], ['serve', '--role', 'all'], ['stores']]) {
    assert.deepEqual(withNewNames(args, args[0]?.startsWith('-') === false ? 0 : -1), args);
  }
});
