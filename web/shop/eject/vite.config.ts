import { settings } from './settings.ts';

/** The sources import English texts; a build replaces them with its language's. */
export default {
  resolve: { alias: [{ find: /\/texts\/en\//, replacement: `/texts/${settings.language}/` }] },
};
