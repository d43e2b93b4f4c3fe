import { AMOUNT_COLUMNS, AMOUNT_NAMES, RARE_AMOUNTS } from '../../ordering/statements/statement-columns.ts';

/**
 * The lists of operators, each for a command and a page: columns by heading. A column is the path of a field. `$`
 * before it: cents; `?` before that: only where a row contains it. `>TAB/FIELD` behind it: on a page it links to the
 * thing with the id in that field, `?NAME` with the query of that field. Moments, ids and states show by the names of
 * their fields.
 */
export type Table = Readonly<Record<string, string>>;

const amounts = (before = ''): Table =>
  Object.fromEntries(
    AMOUNT_NAMES.map((name) => [AMOUNT_COLUMNS[name][2], `${RARE_AMOUNTS.has(name) ? '?' : ''}$${before}${name}`]),
  );

export const ORDERS: Table = {
  Placed: 'placed_at',
  Order: 'order_number>orders/order_id',
  Mode: 'mode',
  Status: 'status',
  Pickup: 'pickup',
  Store: 'store_name>stores/store_id',
  Account: 'account_name>accounts/account_id',
  Total: '$total_with_tip',
  Charge: 'charge_state',
  Refunded: '$refunded_amount',
  ID: 'order_id',
  'ID of the account': 'customer_order_id',
};

export const OPERATORS: Table = {
  Name: 'name',
  Role: 'role',
  Email: 'email',
  Phone: 'phone',
  Disabled: 'disabled_at',
  ID: 'operator_id',
};

export const ACCOUNTS: Table = { Name: 'name>accounts/account_id', ID: 'account_id', Created: 'created_at' };

export const KEYS: Table = {
  Key: 'hint',
  Scopes: 'scopes',
  Mode: 'mode',
  Account: 'account_id',
  Store: 'store_id',
  ID: 'key_id',
  Created: 'created_at',
  Revoked: 'revoked_at',
};

export const NOTES: Table = { Written: 'written_at', By: 'written_by', Who: 'writer', Note: 'text', ID: 'note_id' };

export const MERGES: Table = {
  State: 'state',
  Store: 'name>stores/store_id',
  Feed: 'source',
  Into: 'into_name>stores/into_store_id',
  'Its feed': 'into_source',
  Reason: 'reason',
  Meters: 'meters',
  Decided: 'decided_at',
  ID: 'merge_id',
};

export const IMPORTS: Table = {
  Started: 'started_at',
  Feed: 'source>imports/run_no',
  Format: 'format',
  Finished: 'finished_at',
  Read: 'counts.read',
  Created: 'counts.created',
  Updated: 'counts.updated',
  Unchanged: 'counts.unchanged',
  Rejected: 'counts.rejected',
  Pruned: 'counts.pruned',
  Errors: 'error_count',
};

export const TIPS: Table = {
  Order: 'order_number>orders/order_id',
  Store: 'store_name>stores/store_id',
  Driver: 'driver_name',
  Courier: 'courier',
  Currency: 'currency',
  Amount: '$amount',
  ID: 'order_id',
};

/** Of the taxes of a month and, without its first columns, of their totals. */
export const TAXES: Table = {
  State: 'state',
  Country: 'country',
  Tax: 'name',
  Class: 'tax_class',
  'Remitted by': 'remitter',
  Currency: 'currency',
  Base: '$base',
  Amount: '$tax',
};

export const STATEMENTS: Table = {
  Store: 'name>statements/store_id?month',
  ID: 'store_id',
  Currency: 'currency',
  Orders: 'totals.orders',
  ...amounts('totals.'),
};

/** Of a statement's lines and of its days, each with the columns that it has. */
export const STATEMENT: Table = {
  Date: 'date',
  Order: 'order_number>orders/order_id',
  Kind: 'kind',
  Orders: 'orders',
  ...amounts(),
};

export const SESSIONS: Table = {
  Name: 'name',
  Session: 'session_id',
  Since: 'created_at',
  'Last seen': 'seen_at',
  Expires: 'expires_at',
  Device: 'device',
};

export type TableColumn = {
  head: string;
  path: string;
  isMoney: boolean;
  isMoment: boolean;
  link?: { tab: string; id: string; query?: string };
};

/** The columns of a table whose fields are among `names`, all without it, and that `rows` have, where they must. */
export function columnsOfTable(table: Table, names?: readonly string[], rows: readonly unknown[] = []): TableColumn[] {
  return Object.entries(table).flatMap(([head, text]) => {
    const isRare = text.startsWith('?');
    const column = columnOf(head, isRare ? text.slice(1) : text);
    const isNamed = isRare || names === undefined || names.includes(column.path.split('.')[0] ?? '');
    const isThere = !isRare || rows.some((row) => valueAt(row, column.path) !== undefined);
    return isNamed && isThere ? [column] : [];
  });
}

function columnOf(head: string, text: string): TableColumn {
  const [field = '', target] = text.replace('$', '').split('>');
  const [, tab = '', id = '', query] = /^(\w+)\/(\w+)(?:\?(\w+))?$/.exec(target ?? '') ?? [];
  const isMoment = /(^|_)(at|since|until)$/.test(field);
  const link = target === undefined ? {} : { link: { tab, id, ...(query !== undefined && { query }) } };
  return { head, path: field, isMoney: text.startsWith('$'), isMoment, ...link };
}

/** The value of a row at a path such as `totals.sales`. */
export const valueAt = (row: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name], row);
