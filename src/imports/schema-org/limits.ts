/** Bounds on what one page or document may ask of the service; far above real ones. */
export const SCHEMA_ORG_LIMITS = {
  /** Characters of one document or saved page. */
  documentCharacters: 32 * 1024 * 1024,
  /** JSON-LD blocks of one page. */
  scripts: 1000,
  /** Objects of one document. */
  nodes: 1_000_000,
  /** Sections, items and offers that one store's menus may have; what is shared counts in each of its places. */
  placesPerStore: 500_000,
  /** Values of properties that are read of one document, for all its stores: some two million dishes. */
  valuesRead: 50_000_000,
} as const;
