import { type Attack, repeat } from './attack.ts';
import { FORM, formOf, sendKeyless } from './keyless.ts';

const CONNECTIONS = 40;
const SIGN_IN = { path: '/console/operator/sign-in', body: formOf(4000), headers: FORM };

/** Connections without a key from four addresses post sign-in forms of 4,000 names. */
export const attack: Attack = {
  name: 'sign-in forms',
  run: (target) => repeat(target, CONNECTIONS, (connection) => sendKeyless(target, connection, SIGN_IN)),
};
