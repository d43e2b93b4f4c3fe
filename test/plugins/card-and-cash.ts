import { definePlugin } from 'doorstep/plugin';
import { createCash } from '../../examples/plugins/cash/cash.ts';

/** A gateway of both methods; in the sandbox its cards are the sandbox's own. */
export default definePlugin({
  name: 'both',
  version: '1.0.0',
  api: 1,
  settings: {},
  gateways: [
    {
      name: 'both',
      open: async () => ({
        gateway: { ...createCash({ limitCents: Number.POSITIVE_INFINITY }), methods: ['card', 'cash'] },
      }),
    },
  ],
});
