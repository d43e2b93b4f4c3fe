import { type Attack, repeat } from './attack.ts';
import { sendKeyless } from './keyless.ts';

const CONNECTIONS = 16;
const CALL = {
  path: '/payment/stripe/webhook',
  body: Buffer.alloc(1024 * 1024, 'x'),
  headers: {
    'content-type': 'application/json',
    'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
  },
};

export const attack: Attack = {
  name: 'connections without a key post bodies of a mebibyte to a signed webhook, as fast as they can',
  env: { STRIPE_SECRET_KEY: 'sk_test_never_called', STRIPE_WEBHOOK_SECRET: 'whsec_for_benches' },
  run: (target) => repeat(target, CONNECTIONS, (connection) => sendKeyless(target, connection, CALL)),
};
