/** All tables (migrations/). Each room declares its own in its `*-tables.ts`. */
export interface Database {
  settings: { name: string; value: string };
}
