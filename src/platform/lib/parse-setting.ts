import { parseJsonObject } from './json-object.ts';
import { hasNumberingPlan } from './numbering-plan.ts';

/** Parsers of settings; each returns undefined for an invalid text. */

export function integerBetween(min: number, max: number) {
  return (text: string) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  };
}

/** Returns the address for local programs to reach a server that listens on `host`. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Parses a local port, or an address and port: 9464, 0.0.0.0:9464, [::]:9464. */
export function listenAddress(text: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, digits = ''] = /^(?:(?:\[([\da-f:.]+)\]|([^:[\]\s]+)):)?(\d+)$/i.exec(text) ?? [];
  const port = integerBetween(0, 65_535)(digits);
  return port === undefined ? undefined : { host: bracketed ?? plain ?? '127.0.0.1', port };
}

export function numberBetween(min: number, max: number) {
  return (text: string) => {
    const value = Number(text);
    return /^\d+(\.\d+)?$/.test(text) && value >= min && value <= max ? value : undefined;
  };
}

export function httpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(text) || url.username || url.password) return undefined;
  return text.replace(/(?<!\/)\/+$/, '');
}

const AUTHENTICATION = /^(?:none,)?(?:scram-sha-256|md5|password)(?:,(?:scram-sha-256|md5|password|none))*$/;

/** Parses a PostgreSQL URL. `require_auth` lists allowed authentication methods, as in libpq. */
export function postgresUrl(text: string): string | undefined {
  const url = /^postgres(ql)?:\/\//.test(text) ? URL.parse(text) : null;
  const methods = url?.searchParams.get('require_auth') ?? 'scram-sha-256';
  return url && AUTHENTICATION.test(methods) ? text : undefined;
}

/** Returns the text if an HTTP header can carry it. */
export const headerText = (text: string): string | undefined => (/^[\x21-\x7e]+$/.test(text) ? text : undefined);

export function mailAddress(text: string): string | undefined {
  return /^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(text) ? text : undefined;
}

/** Parses a mail address, or a page with contacts: RFC 9116 accepts only URIs. */
export function contactUri(text: string): string | undefined {
  const isMail = /^mailto:[^\s@<>]+@[^\s@<>]+$/.test(text);
  return isMail || (/^https:\/\/\S+$/.test(text) && URL.canParse(text)) ? text : undefined;
}

export function secondsList(text: string): number[] | undefined {
  const seconds = text.split(',').map((part) => numberBetween(0, 31_536_000)(part.trim()));
  return seconds.every((value) => value !== undefined) ? seconds : undefined;
}

/** Parses up to eight numbers such as `GST 12345 6789 RT0001`, separated by commas. */
export function registrationNumbers(text: string): string[] | undefined {
  const numbers = text.split(',').map((part) => part.trim());
  return numbers.length <= 8 && numbers.every(({ length }) => length > 0 && length <= 60) ? numbers : undefined;
}

/** Parses a whole number from 0, or `unlimited`. */
export function amountOrUnlimited(text: string): number | undefined {
  return text.toLowerCase() === 'unlimited' ? UNLIMITED : integerBetween(0, 1e12)(text);
}

/** Parses a JSON object with such amounts under any of these names. */
export function amountsOrUnlimited<Name extends string>(names: readonly Name[]) {
  return (text: string): Partial<Record<Name, number>> | undefined => {
    const object = parseJsonObject(text);
    if (!object) return undefined;
    const amounts: Partial<Record<Name, number>> = {};
    for (const [key, value] of Object.entries(object)) {
      const name = names.find((known) => known === key);
      const amount = ['number', 'string'].includes(typeof value) ? amountOrUnlimited(String(value)) : undefined;
      if (name === undefined || amount === undefined) return undefined;
      amounts[name] = amount;
    }
    return amounts;
  };
}

/** Exceeds any count, and fits a database bigint and a JSON number. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Parses codes of ISO 3166 in any letter case, at least one. */
export function countryCodes(text: string): string[] | undefined {
  const codes = text.split(',').map((part) => part.trim().toUpperCase());
  return codes.every(hasNumberingPlan) ? [...new Set(codes)] : undefined;
}

export function trueOrFalse(text: string): boolean | undefined {
  return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
}

export function onOrOff(text: string): boolean | undefined {
  return /^(on|off)$/i.test(text) ? text.toLowerCase() === 'on' : undefined;
}

/** Parses seconds between simulated steps, or `manual`. */
export function sandboxPace(text: string): number | 'manual' | undefined {
  return text.toLowerCase() === 'manual' ? 'manual' : numberBetween(0, 86_400)(text);
}

/**
 * A PMTiles archive on this machine, served by the service, or a URL that browsers load: a PMTiles archive or a
 * template of raster tiles such as https://tiles.example/{z}/{x}/{y}.png.
 */
export type MapTiles = { file: string } | { url: string };

export function mapTiles(text: string): MapTiles | undefined {
  const isArchive = /\.pmtiles$/.test(URL.parse(text)?.pathname ?? text);
  if (!text.includes('://')) return isArchive ? { file: text } : undefined;
  return isArchive && /^https?:\/\/[^/@]+\//.test(text) ? { url: text } : tilesUrl(text);
}

function tilesUrl(text: string): MapTiles | undefined {
  const isTemplate = ['{z}', '{x}', '{y}'].every((part) => text.includes(part));
  return isTemplate && /^https?:\/\/[^/@]+\//.test(text) ? { url: text } : undefined;
}
