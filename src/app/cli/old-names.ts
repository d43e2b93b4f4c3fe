/*
 * Names of commands and options that scripts were written with, and today's words in their place. The command line
 * reads them only here; help and documents use today's names.
 */

const OLD_COMMANDS: Readonly<Record<string, string>> = {
  'stores courier': 'stores set',
  'agents client add': 'agents add-client',
  'agents client list': 'agents list-clients',
  'agents client remove': 'agents remove-client',
  'agents client rotate-secret': 'agents rotate-secret',
};

/** By the command's name today. A name with a value stands for only that value. */
export const OLD_OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'accounts set': {
    '--sms-budget': '--sms',
    '--email-budget': '--emails',
    '--unpaid-order-budget': '--unpaid-orders',
    '--directory-budget': '--directory-lookups',
    '--sandbox-directory-budget': '--sandbox-directory-lookups',
    '--unplaced-order-budget': '--unplaced-orders',
    '--unplaced-bytes-budget': '--unplaced-bytes',
    '--declines-per-hour-user': '--declines-user',
    '--declines-per-hour-card': '--declines-card',
    '--declines-per-hour-key': '--declines-key',
  },
  'branding set': { '--from': '--from-address', '--bcc': '--bcc-address' },
  'stores set': { '--tax-id': '--tax-ids', '--gateway': '--courier' },
  'stores channels': {
    '--auto-confirm off': '--remove auto_confirm',
    '--auto-confirm': '--auto-confirm-minutes',
    '--email off': '--remove email',
    '--sms off': '--remove sms',
    '--webhook off': '--remove webhook',
    '--printer off': '--remove printer',
  },
  'products list': { '--search': '--query' },
  'products set': { '--qty': '--qty-available' },
  'orders refund': { '--item': '--items', '--tip': '--refund-tip' },
  'orders tip': { '--tip': '--driver-tip-cents' },
  'users forget': { '--sandbox': '--mode sandbox' },
  'webhooks rotate': { '--live': '--mode live', '--overlap': '--overlap-hours' },
  'tokens rotate': { '--no-overlap': '--keep-previous off' },
  'ucp bind': { '--platform': '--profile-url', '--live': '--mode live' },
};

/** The arguments with today's names. `commandAt` is the index of the command's first word, -1 without one. */
export function withNewNames(args: readonly string[], commandAt: number): string[] {
  if (commandAt < 0) return [...args];
  const before = args.slice(0, commandAt);
  const rest = args.slice(commandAt);
  const nameOf = (words: number) => rest.slice(0, words).join(' ');
  const old = [3, 2].find((words) => Object.hasOwn(OLD_COMMANDS, nameOf(words)));
  const command = old === undefined ? nameOf(2) : (OLD_COMMANDS[nameOf(old)] ?? '');
  const given = rest.slice(old ?? 2);
  // Without a courier company, the command showed the store.
  const isShown =
    old !== undefined && command === 'stores set' && !given.some((word) => /^--(gateway|file)/.test(word));
  const words = isShown ? ['stores', 'show'] : command.split(' ');
  return [...before, ...words, ...withNewOptions(given, OLD_OPTIONS[command] ?? {})];
}

/** Today's option and value for a field of a JSON line; undefined if the field has today's name. */
export function newOptionOf(command: string, name: string, value: unknown): string[] | undefined {
  const option = `--${name.replaceAll('_', '-')}`;
  const words = withNewOptions([option, String(value ?? 'none')], OLD_OPTIONS[command] ?? {});
  return words[0] === option ? undefined : words;
}

function withNewOptions(args: readonly string[], names: Readonly<Record<string, string>>): string[] {
  const words: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '--') return [...words, ...args.slice(at)];
    const [, option = word, inline] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    const fixed = names[`${option} ${inline ?? args[at + 1]}`];
    if (fixed !== undefined && inline === undefined) at += 1;
    const today = fixed ?? (Object.hasOwn(names, option) ? names[option] : undefined);
    if (today === undefined) words.push(word);
    else words.push(...today.split(' '), ...(fixed === undefined && inline !== undefined ? [inline] : []));
  }
  return words;
}
