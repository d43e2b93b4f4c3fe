import type { store as english } from '../en/store.ts';
import type { Words } from '../words.ts';

export const store = {} satisfies Words<typeof english>;
