import { type Attack, repeat } from './attack.ts';
import { FORM, formOf, sendKeyless } from './keyless.ts';

const CONNECTIONS = 40;
const SIGN_IN = { path: '/console/operator/sign-in', body: formOf(4000), headers: FORM };

export const attack: Attack = {
  name: 'connections without a key post sign-in forms of 4,000 names',
  run: (target) => repeat(target, CONNECTIONS, (connection) => sendKeyless(target, connection, SIGN_IN)),
};
