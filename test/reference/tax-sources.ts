import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The source of a row of the tax table. `url` is official, or a publisher's own article; empty if none is known.
 * `unread` sources have not been compared.
 */
export type TaxSource = readonly [title: string, section: string, url: string, unread?: 'unread'];

type Sources = Readonly<Record<string, TaxSource>>;
const { taxes, discounts }: { taxes: Sources; discounts: Sources } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'tax-sources.json'), 'utf8'),
);

/** The sources of the tax table, and of the table of discounts, by the names that their rows give. */
export const TAX_SOURCES = taxes;
export const DISCOUNT_SOURCES = discounts;
