import { type Migration, statementsOf } from '../src/platform/db/migrations.ts';

/** Tables with one row per account, channel or session, or of an hour: scanning them takes no time. All others may be large. */
const SMALL = new Set(
  [
    ['settings', 'accounts', 'api_keys', 'brandings', 'webhook_endpoints', 'store_channels', 'console_sessions'],
    ['access_codes', 'sign_in_failures', 'import_runs', 'change_clock', 'account_limits', 'operators', 'sign_in_links'],
    ['card_declines', 'key_charges', 'shops'],
  ].flat(),
);

type Rule = {
  pattern: RegExp;
  fault: string;
  /** Does not apply to a migration that stops old nodes, or to small tables. */
  unless?: 'old nodes' | 'small';
};

/** Unsafe changes of an existing table. */
const OF_ALTERED: readonly Rule[] = [
  { pattern: /\bdrop column\b/, fault: 'drops a column', unless: 'old nodes' },
  { pattern: /\brename\b/, fault: 'renames', unless: 'old nodes' },
  { pattern: /\bset not null\b/, fault: 'sets a column not null: old nodes write nulls, and every row is read' },
  { pattern: /\balter( column)? \w+ (set data )?type\b/, fault: 'changes a type: every row is written again' },
  { pattern: /\bgenerated always as \(/, fault: 'adds a generated column: every row is written again' },
  { pattern: /\bset (un)?logged\b|\bset tablespace\b/, fault: 'writes every row again' },
];

const OF_PART: readonly Rule[] = [
  {
    pattern: /^add (column )?(?!constraint\b|check\b|foreign\b|unique\b|primary\b)(?=.*\bnot null\b)(?!.*\bdefault\b)/,
    fault: 'adds a column not null without a default',
  },
  {
    pattern: /^add .*\bdefault (?!now\(\))[^,]*\w\(/,
    fault: 'adds a column with a default that is computed for each row',
  },
  {
    pattern: /^add (?!.*\bnot valid$).*\b(check|foreign key|references)\b/,
    fault: 'checks every row: add the constraint "not valid"',
    unless: 'small',
  },
  {
    pattern: /^add (?!.*\busing index\b).*\b(unique|primary key|exclude)\b/,
    fault: 'builds an index while the table is locked',
    unless: 'small',
  },
];

const OF_STATEMENT: readonly Rule[] = [
  {
    pattern: /^drop (table|view|function|type|schema|sequence)\b/,
    fault: 'drops what old nodes use',
    unless: 'old nodes',
  },
  { pattern: /^(lock|truncate|cluster|vacuum full|reindex)\b/, fault: 'locks a table' },
];

/**
 * Why nodes of the previous version would fail during or after a migration; empty if none (docs/upgrades.md).
 * Matches SQL text in the forms that our migrations use.
 */
export function faultsOf(migration: Migration): string[] {
  const text = migration.text.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''");
  const statements = statementsOf({ ...migration, text }).map((each) => each.toLowerCase().replace(/\s+/g, ' '));
  const created = new Set(statements.flatMap((each) => /^create table (?:if not exists )?(\w+)/.exec(each)?.[1] ?? []));
  return statements.flatMap((statement) => [
    ...broken(OF_STATEMENT, statement, migration, true),
    ...faultsOfAlter(statement, migration, created),
    ...faultsOfIndex(statement, migration, created),
    ...faultsOfData(statement, migration, created),
  ]);
}

function broken(rules: readonly Rule[], text: string, { name, stopsOldNodes }: Migration, isLarge: boolean): string[] {
  return rules
    .filter(({ pattern }) => pattern.test(text))
    .filter(({ unless }) => !(unless === 'old nodes' && stopsOldNodes) && !(unless === 'small' && !isLarge))
    .map(({ fault }) => `${name} ${fault}: ${text.slice(0, 80)}`);
}

function faultsOfAlter(statement: string, migration: Migration, created: ReadonlySet<string>): string[] {
  const [, table = '', rest = ''] = /^alter table (?:only )?(\w+) (.*)$/.exec(statement) ?? [];
  if (table === '' || created.has(table)) return [];
  const isLarge = !SMALL.has(table);
  return [
    ...broken(OF_ALTERED, rest, migration, isLarge),
    ...partsOf(rest).flatMap((part) => broken(OF_PART, part, migration, isLarge)),
  ];
}

/** Splits at commas outside of parentheses and strings. */
function partsOf(text: string): string[] {
  const parts = [''];
  let depth = 0;
  let isQuoted = false;
  for (const letter of text) {
    if (letter === "'") isQuoted = !isQuoted;
    if (!isQuoted && letter === '(') depth += 1;
    if (!isQuoted && letter === ')') depth -= 1;
    if (letter === ',' && depth === 0 && !isQuoted) parts.push('');
    else parts.push(`${parts.pop()}${letter}`);
  }
  return parts.map((part) => part.trim());
}

function faultsOfIndex(statement: string, { name, runs }: Migration, created: ReadonlySet<string>): string[] {
  const isConcurrent = /^(create (unique )?|drop )index concurrently if (not )?exists /.test(statement);
  if (runs === 'statements') {
    return isConcurrent ? [] : [`${name} runs outside a transaction what must be in one: ${statement.slice(0, 80)}`];
  }
  const table = /^create (?:unique )?index .*?\bon (?:only )?(\w+)/.exec(statement)?.[1];
  if (table === undefined || created.has(table) || SMALL.has(table)) return [];
  return [
    `${name} builds an index while writes wait: create it concurrently, outside a transaction: ${statement.slice(0, 80)}`,
  ];
}

function faultsOfData(statement: string, { name, runs }: Migration, created: ReadonlySet<string>): string[] {
  const table = /^(?:with .* )?(?:update|delete from|insert into) (\w+)/.exec(statement)?.[1];
  if (runs === 'batches') {
    const isBatch = table !== undefined && /\blimit \d+/.test(statement);
    return isBatch ? [] : [`${name} runs in batches what is no statement with a limit: ${statement.slice(0, 80)}`];
  }
  if (table === undefined || created.has(table) || SMALL.has(table)) return [];
  return [`${name} writes many rows in one transaction: write them in batches: ${statement.slice(0, 80)}`];
}
