import { Type } from 'typebox';
import type { ChannelChanges } from '../../fulfillment/store-channels/set-channels.flow.ts';
import { emailTarget, printerOf, printerTarget, STATION_NAME } from '../../fulfillment/store-channels/store-channel.ts';
import { PRINTER_ENCODINGS } from '../../fulfillment/tickets/paper.ts';
import { flag, optionalWhole } from '../../platform/http/api-components.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { readE164 } from '../../platform/lib/phone.ts';

/** Changes of a store's channels, as operators' endpoint, commands and feeds take them. */

const REMOVABLE = ['email', 'sms', 'webhook', 'printer', 'operator', 'console', 'auto_confirm'] as const;
const target = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description }));

export const ChannelsBody = Type.Object({
  email: target('One email address.'),
  sms: target('A phone number.'),
  webhook: target('The URL of a point of sale.'),
  printer: target(
    "A printer's HOST:PORT, a plug-in's NAME://…, or a polling printer's name. STATION=… sets a station's printer, and STATION=off removes it.",
  ),
  stations: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 50,
      description: 'The categories whose items the named printer prints. Defaults to all.',
    }),
  ),
  operator: flag("Whether the operator dashboard takes the store's orders."),
  encoding: Type.Optional(Type.Enum([...PRINTER_ENCODINGS], { description: "The printer's character encoding." })),
  print_at: Type.Optional(
    Type.Enum(['offered', 'confirmed'], { description: 'When the printer prints the kitchen ticket.' }),
  ),
  auto_confirm_minutes: optionalWhole(1, 1440, 'Confirms orders automatically with these minutes.'),
  remove: Type.Optional(
    Type.Array(Type.Enum([...REMOVABLE]), { maxItems: REMOVABLE.length, description: 'The channels to remove.' }),
  ),
});
export type ChannelsBody = Type.Static<typeof ChannelsBody>;

/** The printers of plug-ins: those with an address, and the paths at which others poll, by name. */
export type PrinterNames = { printers: readonly string[]; polledPrinters: ReadonlyMap<string, string> };

/** Refuses invalid targets, all at once, and channels that are both set and removed. */
export function readChannelChanges(body: ChannelsBody, names: PrinterNames): ChannelChanges {
  const faults: Fault[] = [];
  const fault = (name: string, message: string) => void faults.push({ in: 'body', name, message });
  const changes: ChannelChanges = {};
  const read = (name: 'email' | 'sms', parse: (text: string) => string | undefined, expected: string) => {
    const text = body[name]?.trim();
    if (text === undefined) return;
    const value = parse(text);
    if (value === undefined) fault(name, `must be ${expected}`);
    else changes[name] = value;
  };
  read('email', emailTarget, 'one email address');
  read('sms', readE164, 'a phone number');
  readPrinter(body, changes, names, fault);
  if (body.webhook !== undefined) changes.webhook = body.webhook.trim();
  if (body.operator !== undefined) changes.operator = body.operator;
  if (body.print_at !== undefined) changes.printAt = body.print_at;
  if (body.encoding !== undefined) changes.encoding = body.encoding;
  if (body.auto_confirm_minutes !== undefined) changes.autoConfirmMinutes = body.auto_confirm_minutes;
  for (const name of body.remove ?? []) {
    if (!remove(changes, name)) fault('remove', `must not name ${name}, which is set too`);
  }
  if (body.print_at !== undefined && body.printer === undefined) fault('print_at', 'comes with printer');
  if (faults.length === 0 && Object.keys(changes).length === 0) fault('body', 'must change something');
  if (faults.length > 0) throw invalidRequest(faults);
  return changes;
}

const STATION = new RegExp(`^(${STATION_NAME})=(.+)$`);

/** Returns false for set values, too. */
function remove(changes: ChannelChanges, name: (typeof REMOVABLE)[number]): boolean {
  const key = name === 'auto_confirm' ? 'autoConfirmMinutes' : name;
  if (changes[key] !== undefined) return false;
  if (key === 'operator' || key === 'console') changes[key] = false;
  else changes[key] = null;
  return true;
}

/** Reads `ADDRESS`, or `STATION=ADDRESS` of a printer among several, which `off` removes. */
function readPrinter(
  { printer, stations }: ChannelsBody,
  changes: ChannelChanges,
  { printers, polledPrinters }: PrinterNames,
  fault: (name: string, message: string) => void,
): void {
  const text = printer?.trim();
  const [, station, address = text] = STATION.exec(text ?? '') ?? [];
  if (stations !== undefined && station === undefined) fault('stations', 'comes with a printer STATION=…');
  if (address === undefined) return;
  if (station !== undefined) Object.assign(changes, { station, ...(stations ? { categories: stations } : {}) });
  const isKnown = polledPrinters.has(address) || printers.includes(printerOf(address).printer);
  const target = polledPrinters.has(address) ? address : printerTarget(address);
  if (station !== undefined && address === 'off') changes.printer = null;
  else if (isKnown && target !== undefined) changes.printer = target;
  else {
    const polled = [...polledPrinters.keys()].map((name) => ` or ${name}`).join('');
    fault('printer', `must be HOST:PORT, NAME://… with one of ${printers.join(', ')}${polled}`);
  }
  if (polledPrinters.has(address)) changes.polls = true;
}

/** The channels that were set and removed, without their addresses. */
export function changedChannels(changes: ChannelChanges) {
  const entries = Object.entries(changes);
  return {
    set: entries.filter(([, value]) => value !== null && value !== false).map(([name]) => name),
    removed: entries.filter(([, value]) => value === null || value === false).map(([name]) => name),
  };
}
