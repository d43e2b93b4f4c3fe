/** All tables (migrations/). Other folders add their own in a `*-tables.ts`. */
export interface Database {
  settings: { name: string; value: string };
}
