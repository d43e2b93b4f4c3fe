/** Limits of one page or document, far above real pages. */
export const SCHEMA_ORG_LIMITS = {
  /** Characters of one document or saved page. */
  documentCharacters: 32 * 1024 * 1024,
  /** JSON-LD blocks of one page. */
  scripts: 1000,
  /** Objects of one document. */
  nodes: 1_000_000,
  /** Sections, items and offers in one store's menus; a shared node counts at each of its positions. */
  positionsPerStore: 500_000,
  /** Property values that are read of one document, for all its stores: some two million dishes. */
  valuesRead: 50_000_000,
} as const;
