/**
 * The type of a part of a catalog in another language: the same members as in English. A text is a whole sentence: a
 * string, or a function of named, formatted pieces and counts.
 */
export type Words<Part> = {
  [Name in keyof Part]: Part[Name] extends string
    ? string
    : Part[Name] extends (...pieces: infer Pieces) => string
      ? (...pieces: Pieces) => string
      : Words<Part[Name]>;
};
