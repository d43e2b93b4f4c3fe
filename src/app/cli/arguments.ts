import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Static, TObject } from 'typebox';
import { errorCode } from '../../platform/lib/error-code.ts';
import { amountOrUnlimited, integerBetween, onOrOff } from '../../platform/lib/parse-setting.ts';
import { UNPRINTABLE } from '../../platform/lib/plain-text.ts';

const MAX_NAME_LENGTH = 200;

/** Parses a display name, which must be one line and not empty. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_LENGTH || UNPRINTABLE.test(name)) {
    throw new InvalidArgumentError(`A name has 1 to ${MAX_NAME_LENGTH} characters and no control characters.`);
  }
  return name;
}

/** The parser of an option from one of settings; `expected` says what a text must be that it does not read. */
export function parsed<T>(parse: (text: string) => T | undefined, expected: string) {
  return (text: string): T => {
    const value = parse(text.trim());
    if (value === undefined) throw new InvalidArgumentError(`The value must be ${expected}.`);
    return value;
  };
}

/** The secret in a file. As an argument, every user of the machine could read it in the list of processes. */
export function parseSecretFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new InvalidArgumentError(`The file can't be read (${errorCode(error)}).`);
  }
}

export const parseOnOff = parsed(onOrOff, 'on or off');
export const parseWholeTo = (min: number, max: number, unit: string) =>
  parsed(integerBetween(min, max), `${unit} from ${min} to ${max}`);
/** Words of a list that is separated by commas. */
export const parseListOf = <Word extends string>(words: readonly Word[]) =>
  parsed(
    (text) => {
      const found = text.split(',').map((word) => words.find((known) => known === word.trim()));
      return found.every((word) => word !== undefined) ? found : undefined;
    },
    `a list of ${words.join(', ')}`,
  );
export const parseWebUrl = parsed((text) => {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && url.host !== '' ? text : undefined;
}, 'an http or https URL');

/** A limit: a whole number from `min`, `unlimited` (a number that no count reaches), or `default`. */
export const parseLimitFrom = (min: number) =>
  parsed((text) => {
    const max = text.toLowerCase() === 'default' ? 'default' : amountOrUnlimited(text);
    return max === 'default' || (max !== undefined && max >= min) ? max : undefined;
  }, `a whole number from ${min}, unlimited or default`);

/** An amount of money that moves, which the service bounds. */
export const parseAmount = parsed(integerBetween(1, 99_999_999_999), 'a whole number of cents above 0');

const MAX_QTY = 2_147_483_647;
/** A stock: a whole number, or `none` if it is not counted. */
export const parseQty = parsed<number | 'none'>(
  (text) => (text.toLowerCase() === 'none' ? 'none' : integerBetween(0, MAX_QTY)(text)),
  'a whole number from 0, or none',
);

const MAX_REASON = 200;

/** Of changes that cost money. */
export const REASON = ['--reason <text>', 'why; the history keeps it', parseReason] as const;

export function parseReason(text: string): string {
  const reason = text.trim();
  if (reason.length > MAX_REASON) throw new InvalidArgumentError(`A reason can have at most ${MAX_REASON} characters.`);
  return reason;
}

/** A change that costs money asks for its reason. */
export function requireReason({ reason }: { reason?: string }, command: Command): string {
  return reason || command.error('error: pass --reason; the history keeps why money was moved');
}

/** The members of a procedure's body that options give: `--tax-class` is `tax_class`. The procedure parses their values. */
export function bodyOf<Body extends TObject>({ body }: { body?: Body }, options: object): Static<Body> {
  const given: Readonly<Record<string, unknown>> = { ...options };
  const members = Object.keys(body?.properties ?? {}).map((name) => {
    const attribute = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [name, given[attribute]] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as Static<Body>;
}

/** Ends the command if a change has nothing to change. */
export function requireChange<Body extends object>(body: Body, command: Command): Body {
  if (Object.keys(body).length === 0) command.error('pass at least one option; see --help');
  return body;
}
