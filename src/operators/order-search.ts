import { isStoreId } from '../stores/store-id.ts';

/** What a search text may name; each is looked up by an index of its own. */
export type OrderSearch = {
  orderId?: string;
  orderNumber?: string;
  phones?: readonly string[];
  customerOrderId?: string;
  storeId?: string;
  accountId?: string;
};

const ORDER_ID = /^ord_[\w-]{1,60}$/;
const ACCOUNT_ID = /^acc_[\w-]{1,60}$/;
/** Order numbers are a few letters and digits, such as A17. */
const ORDER_NUMBER = /^#?([a-z]{0,3}\d{1,6})$/i;
const PHONE = /^\+?[\d\s().-]{7,20}$/;

/**
 * Reads a search text as an operator means it: an id by its form, else a phone, a number at the counter or the account's
 * own id of the order. Phones of orders are digits with or without the country code 1.
 */
export function readOrderSearch(text: string): OrderSearch {
  const words = text.trim();
  if (ORDER_ID.test(words)) return { orderId: words };
  if (ACCOUNT_ID.test(words)) return { accountId: words };
  if (isStoreId(words)) return { storeId: words };
  const digits = words.replaceAll(/\D/g, '');
  const [, orderNumber] = ORDER_NUMBER.exec(words) ?? [];
  return {
    customerOrderId: words,
    ...(orderNumber === undefined ? {} : { orderNumber: orderNumber.toUpperCase() }),
    ...(PHONE.test(words) && digits.length >= 7 ? { phones: phonesOf(digits) } : {}),
  };
}

function phonesOf(digits: string): string[] {
  if (digits.length === 10) return [digits, `1${digits}`];
  return digits.length === 11 && digits.startsWith('1') ? [digits, digits.slice(1)] : [digits];
}
