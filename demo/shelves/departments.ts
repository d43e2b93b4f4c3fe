/**
 * Departments of aisles of shelves of `name|size unit|price in dollars`. A name with a `~` is sold loose and has no code:
 * by the piece, or in `lb` by weight, and then a last field may say about what a piece weighs. A name with a `!` is
 * alcoholic.
 */
export type Departments = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>
>;
