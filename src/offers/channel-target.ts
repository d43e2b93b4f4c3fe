import { isPlainAddress } from '../messages/mailbox.ts';
import { phoneNumberOf } from '../stores/phone-number.ts';

const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;
const IPV6 = /^\[[0-9a-f:.]+\]$/i;
const DEFAULT_PRINTER_PORT = 9100;

/** One plain e-mail address; undefined for any other text. */
export function emailTarget(text: string): string | undefined {
  return isPlainAddress(text) && text.length <= 254 ? text : undefined;
}

/** A phone number of the US or Canada (or with a country code) as E.164; undefined for any other text. */
export function phoneTarget(text: string): string | undefined {
  const phone = phoneNumberOf(text, 'US');
  return phone === null ? undefined : `+${phone}`;
}

/** `HOST:PORT` of a printer; the port is 9100 where the text has none. */
export function printerTarget(text: string): string | undefined {
  const [, host = '', port = String(DEFAULT_PRINTER_PORT)] = /^(\[[^\]]*\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isHost = HOST.test(host) || IPV6.test(host);
  return isHost && Number(port) >= 1 && Number(port) <= 65_535 ? `${host}:${Number(port)}` : undefined;
}
