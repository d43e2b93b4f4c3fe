import { type Command, InvalidArgumentError } from 'commander';
import { amountOrUnlimited } from '../../platform/lib/parse-setting.ts';
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

export function parseOnOff(text: string): boolean {
  const word = text.toLowerCase();
  if (word !== 'on' && word !== 'off') throw new InvalidArgumentError('The value must be on or off.');
  return word === 'on';
}

/** Parses a limit: a whole number from `min`, `unlimited` (a number that no count reaches), or `default`. */
export function parseLimitFrom(min: number) {
  return (text: string): number | 'default' => {
    if (text.toLowerCase() === 'default') return 'default';
    const max = amountOrUnlimited(text);
    if (max === undefined || max < min)
      throw new InvalidArgumentError(`The value must be a whole number from ${min}, unlimited or default.`);
    return max;
  };
}

/** Parses an amount of money that moves, which the service bounds. */
export function parseAmount(text: string): number {
  if (!/^[1-9]\d{0,10}$/.test(text))
    throw new InvalidArgumentError('The amount must be a whole number of cents above 0.');
  return Number(text);
}

/** Parses whole cents from 0 to `max`. */
export function parseCentsTo(max: number) {
  return (text: string): number => {
    const cents = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
    if (!(cents <= max)) throw new InvalidArgumentError(`The amount must be whole cents from 0 to ${max}.`);
    return cents;
  };
}

const MAX_QTY = 2_147_483_647;

/** Parses a stock: a whole number, or `none` if it is not counted. */
export function parseQty(text: string): number | 'none' {
  if (text.toLowerCase() === 'none') return 'none';
  if (!/^\d{1,10}$/.test(text) || Number(text) > MAX_QTY) {
    throw new InvalidArgumentError('The value must be a whole number from 0, or none.');
  }
  return Number(text);
}

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
