import { checkout } from './checkout.ts';
import { counter } from './counter.ts';
import { customer } from './customer.ts';
import { driver } from './driver.ts';
import { live } from './live.ts';
import { shop } from './shop.ts';
import { store } from './store.ts';

export const fr = { customer, checkout, live, shop, counter, store, driver };
