import { type Attack, repeat } from './attack.ts';
import { FORM, formOf, sendKeyless } from './keyless.ts';

const CONNECTIONS = 40;
const CALL = {
  path: '/messages/sms/reply',
  body: formOf(4000),
  headers: { ...FORM, 'x-twilio-signature': Buffer.alloc(20).toString('base64') },
};

export const attack: Attack = {
  name: 'connections without a key post forms of 4,000 names, with a false signature, to the webhook',
  env: { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'token', TWILIO_FROM: '+12125550100' },
  run: (target) => repeat(target, CONNECTIONS, (connection) => sendKeyless(target, connection, CALL)),
};
