/** Every table (migrations/). Each room declares the tables that it owns, in its own `*-tables.ts`. */
export interface Database {
  settings: { name: string; value: string };
}
