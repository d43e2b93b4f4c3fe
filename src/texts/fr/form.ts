import type { Words } from '../../platform/languages/words.ts';
import type { form as english } from '../en/form.ts';

export const form = { check: ({ fields }) => `À vérifier\u00a0: ${fields}` } satisfies Words<typeof english>;
