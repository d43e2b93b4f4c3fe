/** The source of data of an open directory, and the licence under which it may be used. */
export type StoreOrigin = {
  dataset: string;
  /** As the record states it, such as `ODbL-1.0` or `CDLA-Permissive-2.0`; null where it states none. */
  license: string | null;
  recordId: string | null;
  updatedAt: string | null;
};
