import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { errorCode } from 'doorstep/files';
import { integerBetween } from '../../platform/lib/parse-setting.ts';

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
