import { agent } from './agent.ts';
import { checkout } from './checkout.ts';
import { counter } from './counter.ts';
import { customer } from './customer.ts';
import { driver } from './driver.ts';
import { form } from './form.ts';
import { live } from './live.ts';
import { promotion } from './promotion.ts';
import { shop } from './shop.ts';
import { signIn } from './sign-in.ts';
import { store } from './store.ts';

export const fr = { agent, customer, checkout, live, shop, signIn, counter, store, driver, form, promotion };
