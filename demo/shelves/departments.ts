/**
 * Departments of aisles of shelves of `name|size unit|price in dollars`. A name with a `~` is sold loose, by weight or
 * piece, and has no code; a name with a `!` is alcoholic.
 */
export type Departments = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>
>;
