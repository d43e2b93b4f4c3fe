/** What every form says of its wrong fields. */
export const form = { check: ({ fields }: { fields: string }) => `Check: ${fields}` };
