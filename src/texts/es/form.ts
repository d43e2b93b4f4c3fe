import type { Words } from '../../platform/languages/words.ts';
import type { form as english } from '../en/form.ts';

export const form = { check: ({ fields }) => `Revisa: ${fields}` } satisfies Words<typeof english>;
