import { settings } from './settings.ts';

/** The sources import English texts; a build has those of its language. */
export default {
  resolve: { alias: [{ find: /\/texts\/en\//, replacement: `/texts/${settings.language}/` }] },
};
