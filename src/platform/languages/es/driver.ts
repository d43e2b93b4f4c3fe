import type { driver as english } from '../en/driver.ts';
import type { Words } from '../words.ts';

export const driver = {} satisfies Words<typeof english>;
