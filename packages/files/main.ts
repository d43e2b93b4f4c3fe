/* Helpers for files: the reason of a system's error, and folders. */

export { ONLY_OWN, readChecked, writeChecked } from './checked-file.cache.ts';
export { errorCode, errorMessage } from './error-code.ts';
export { makeFolder } from './make-folder.ts';
