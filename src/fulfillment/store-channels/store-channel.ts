import { Type } from 'typebox';
import { isPlainAddress } from '../../notify/outbox/mailbox.ts';

/** The kinds of channels that receive a store's live orders. */
export const STORE_CHANNELS = ['console', 'email', 'sms', 'webhook', 'printer', 'operator'] as const;
/** A printer among several of a store is `printer:NAME`: its station. */
export type StoreChannel = (typeof STORE_CHANNELS)[number] | `printer:${string}`;

/** Pattern of a printer's name among several. */
export const STATION_NAME = '[a-z][a-z0-9_-]{0,30}';

/** A channel of some kinds; a printer may be one among several. */
export function channelSchema(kinds: readonly StoreChannel[], description: string) {
  const names = kinds.map((kind) => (kind === 'printer' ? `printer(:${STATION_NAME})?` : kind));
  return Type.Unsafe<StoreChannel>({ type: 'string', maxLength: 40, pattern: `^(${names.join('|')})$`, description });
}

export const StoreChannelSchema = channelSchema(
  STORE_CHANNELS,
  `${STORE_CHANNELS.join(', ')}, or \`printer:NAME\` of a printer among several.`,
);

export const isPrinter = (channel: StoreChannel): boolean => channel.startsWith('printer');

/** A printer's name among several; empty for any other channel. */
export const stationOf = (channel: StoreChannel): string => channel.split(':')[1] ?? '';

/** When a printer prints the kitchen ticket. With `confirmed`, the printer does not announce orders to the store. */
export type PrintAt = 'offered' | 'confirmed';

export type Channel = {
  channel: StoreChannel;
  /** An email address, a phone number (E.164), a URL, or a printer's address; null for the console and the operator. */
  target: string | null;
  /** `whsec_…` of a webhook. */
  signingSecret: string | null;
  /** When the previous secret stops signing, during a rotation. */
  previousSecretUntil: Temporal.Instant | null;
  printAt: PrintAt;
  encoding: string;
  /** For a printer: the names of the categories whose items it prints; null: all. */
  categories: readonly string[] | null;
  /** Hash of the secret in the URL of a printer that polls; null for every other channel. */
  secretHash: Buffer | null;
  /** Since when every attempt has failed; null if the last one succeeded. */
  failingSince: Temporal.Instant | null;
  lastError: string | null;
};

/** Whether the channel announces new orders to the store. */
export function receivesOrders({ channel, printAt }: Pick<Channel, 'channel' | 'printAt'>): boolean {
  return !isPrinter(channel) || printAt === 'offered';
}

const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;
const IPV6 = /^\[[0-9a-f:.]+\]$/i;
const DEFAULT_PRINTER_PORT = 9100;

/** Parses one plain email address; undefined for any other text. */
export function emailTarget(text: string): string | undefined {
  const address = text.trim();
  return isPlainAddress(address) && address.length <= 254 ? address : undefined;
}

const OWN_PRINTER = 'escpos';
const NAMED_PRINTER = /^([a-z][a-z0-9_-]*):\/\/([!-~]{1,500})$/;

/** The printer's name in the registry, and where it is. */
export function printerOf(address: string): { printer: string; target: string } {
  const [, printer = OWN_PRINTER, target = address] = NAMED_PRINTER.exec(address) ?? [];
  return { printer, target };
}

/** Parses a printer's address: `NAME://…`, or `HOST:PORT` of an ESC/POS printer; the port is 9100 if absent. */
export function printerTarget(text: string): string | undefined {
  const { printer, target } = printerOf(text);
  return printer === OWN_PRINTER ? hostAndPort(target) : text;
}

function hostAndPort(text: string): string | undefined {
  const [, host = '', port = String(DEFAULT_PRINTER_PORT)] = /^(\[[^\]]*\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isHost = HOST.test(host) || IPV6.test(host);
  return isHost && Number(port) >= 1 && Number(port) <= 65_535 ? `${host}:${Number(port)}` : undefined;
}
