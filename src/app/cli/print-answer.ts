import type { TSchema } from 'typebox';
import type { Endpoint } from '../../access/operations/operation.ts';
import { saysCents, saysEpochSeconds } from '../../platform/http/api-components.ts';
import { isJsonObject } from '../../platform/lib/json-object.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { columnsOfTable, type Table, valueAt } from '../../surfaces/operator/tables.ts';
import type { FieldSchema } from './field-options.ts';
import {
  alignedRows,
  alignedTable,
  columnWidths,
  type OutputOptions,
  secondsText,
  answer as writeAnswer,
  writePart,
} from './output.ts';

/**
 * The output of a command: with `--json` the response itself, otherwise its members as lines and its lists as tables.
 * Schemas say which numbers are moments and which are cents.
 */

type Printed = Pick<Endpoint, 'answer' | 'table' | 'next'>;
type Tables = Endpoint['table'];

/** Widths beyond which rows are printed one below the other. */
const MAX_WIDTH = 240;

export function printAnswer(options: OutputOptions, { answer: schema, table, next }: Printed, answer: unknown): void {
  const text = textOf(answer, schema as FieldSchema, table);
  writeAnswer(options, answer as object, next === undefined ? text : `${text}\n${next}`);
}

/**
 * Prints a list page by page with back-pressure, so that memory holds one page. The first page prints the fields
 * alongside the list, and sets the widths of columns. Throws the signal's reason, or OutputClosed when the reader
 * leaves.
 */
export async function printPages(
  { json }: OutputOptions,
  { answer, table }: Printed,
  pages: AsyncIterable<Readonly<Record<string, unknown>>>,
  signal: AbortSignal,
): Promise<void> {
  const schema = answer as FieldSchema;
  const name = Object.keys(schema.properties ?? {}).find((one) => memberOf(schema, one).items?.properties) ?? '';
  const writer = json ? jsonWriter(name) : textWriter(schema, memberOf(schema, name).items ?? {}, tableOf(table, name));
  for await (const { next: _, [name]: rows, ...others } of pages) {
    signal.throwIfAborted();
    await writePart(writer.page(rows as readonly unknown[], others));
  }
  if (json) await writePart(']}\n');
}

type PageWriter = { page(rows: readonly unknown[], others: Readonly<Record<string, unknown>>): string };

function jsonWriter(name: string): PageWriter {
  let [isFirst, separator] = [true, ''];
  return {
    page(rows, others) {
      const above = Object.entries(others).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`);
      const text = `${isFirst ? `{${above.join('')}"${name}":[` : ''}${rows.length > 0 ? separator : ''}`;
      isFirst = false;
      if (rows.length > 0) separator = ',';
      return text + rows.map((row) => JSON.stringify(row)).join(',');
    },
  };
}

function textWriter(schema: FieldSchema, items: FieldSchema, table?: Table): PageWriter {
  let columns: readonly Column[] | undefined;
  let widths: readonly number[] = [];
  return {
    page(rows, others) {
      if (columns) return rows.length > 0 ? `${alignedRows(cellsOf(rows, columns, items), widths)}\n` : '';
      columns = columnsOf(rows, items, table);
      const shown = [columns.map(([head]) => head), ...cellsOf(rows, columns, items)];
      widths = columnWidths(shown);
      const above = textOf(others, schema, table);
      return `${above && `${above}\n\n`}${alignedRows(shown, widths)}\n`;
    },
  };
}

function textOf(answer: unknown, schema: FieldSchema, table?: Tables): string {
  const members = flatten(answer, schema);
  const lists = members.filter(({ value }) => isList(value));
  const lines = members.map(({ path, value, of }) => [path, isList(value) ? '' : cellText(value, of)] as const);
  const tables = lists
    .filter(({ value }) => members.length === 1 || (value as unknown[]).length > 0)
    .map(({ path, value, of }) => {
      const text = tableText(value as unknown[], of.items ?? {}, tableOf(table, path));
      return members.length === 1 ? text : `${path}\n${text}`;
    });
  const written = lines.filter(([, text]) => text !== '');
  return [alignedRows(written, columnWidths(written)), ...tables].filter(Boolean).join('\n\n');
}

/** The table of the list at a path: its own, otherwise the one of all lists. */
function tableOf(tables: Tables, path: string): Table | undefined {
  const own = tables?.[path];
  if (typeof own === 'object') return own;
  return tables && Object.values(tables).every((column) => typeof column === 'string') ? (tables as Table) : undefined;
}

const isList = (value: unknown): boolean => Array.isArray(value) && (value.length === 0 || value.some(isJsonObject));

/** The members of a value and of its objects, by their paths. */
function flatten(value: unknown, of: FieldSchema, path = ''): { path: string; value: unknown; of: FieldSchema }[] {
  if (!isJsonObject(value)) return [{ path, value, of }];
  return Object.entries(value).flatMap(([name, member]) =>
    flatten(member, memberOf(of, name), path ? `${path}.${name}` : name),
  );
}

/** The schema of a member, with the description of the union that it is of. */
function memberOf(schema: FieldSchema, name: string): FieldSchema {
  const found =
    [schema, ...(schema.anyOf ?? [])].find(({ properties }) => properties?.[name])?.properties?.[name] ?? {};
  const items = [found, ...(found.anyOf ?? [])].find((one) => one.items)?.items;
  return items ? { ...found, items } : found;
}

function tableText(rows: readonly unknown[], items: FieldSchema, table?: Table): string {
  const columns = columnsOf(rows, items, table);
  const cells = cellsOf(rows, columns, items);
  const heads = columns.map(([head]) => head);
  const width = columnWidths([heads, ...cells]).reduce((sum, one) => sum + one + 2, 0);
  if (width <= MAX_WIDTH) return alignedTable(heads, cells);
  const records = cells.map((row) =>
    heads.map((head, nth) => [head, row[nth] ?? '']).filter(([, text]) => text !== ''),
  );
  return records.map((record) => alignedRows(record, columnWidths(record))).join('\n\n');
}

type Column = readonly [head: string, path: string];

/** The columns of the table that rows have, otherwise every field of the rows. */
function columnsOf(rows: readonly unknown[], items: FieldSchema, table?: Table): Column[] {
  const { properties } = items;
  const chosen = table ? columnsOfTable(table, properties && Object.keys(properties), rows) : [];
  if (chosen.length > 0) return chosen.map(({ head, path }) => [head.toUpperCase(), path]);
  const fields = rows.flatMap((row) => flatten(row, items)).filter(({ value }) => !isList(value));
  const paths = rows.length > 0 ? fields.map(({ path }) => path) : Object.keys(properties ?? {});
  return [...new Set(paths)].map((path) => [path.replaceAll(/[._]/g, ' ').toUpperCase(), path]);
}

const cellsOf = (rows: readonly unknown[], columns: readonly Column[], items: FieldSchema): string[][] =>
  rows.map((row) => columns.map(([, path]) => cellAt(row, path, items)));

function cellAt(row: unknown, path: string, items: FieldSchema): string {
  const names = path === '' ? [] : path.split('.');
  return cellText(path === '' ? row : valueAt(row, path), names.reduce(memberOf, items));
}

function cellText(value: unknown, { description, anyOf = [] }: FieldSchema): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'number') return String(value);
  const meanings = [description, ...anyOf.map((variant) => variant.description)];
  if (meanings.some(saysEpochSeconds)) return secondsText(value);
  return meanings.some(saysCents) ? formatPrice(value) : String(value);
}

/** The fields of a response with their types, such as `{ stores: [{ store_id: string }] }`. */
export function schemaText(schema: TSchema): string {
  const write = ({ type, enum: words, const: only, anyOf, items, properties, required }: FieldSchema): string => {
    if (anyOf) return anyOf.map(write).join(' | ');
    if (words) return words.map((word) => JSON.stringify(word)).join(' | ');
    if (only !== undefined) return JSON.stringify(only);
    if (items) return `[${write(items)}]`;
    if (!properties) return type ?? 'unknown';
    const members = Object.entries(properties).filter(([name]) => name !== 'next');
    const texts = members.map(([name, member]) => `${name}${required?.includes(name) ? '' : '?'}: ${write(member)}`);
    return `{ ${texts.join(', ')} }`;
  };
  return write(schema as FieldSchema);
}
