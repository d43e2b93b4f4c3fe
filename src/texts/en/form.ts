/** The summary of a form's invalid fields. */
export const form = { check: ({ fields }: { fields: string }) => `Check: ${fields}` };
