/** All tables (migrations/). Each room adds its own in a `*-tables.ts`. */
export interface Database {
  settings: { name: string; value: string };
}
