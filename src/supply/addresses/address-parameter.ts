import { Type } from 'typebox';
import { MAX_ADDRESS_CHARACTERS } from '../stores/street-address.ts';

/** Returns why a text cannot be an address; undefined if it can. */
export function addressFault(text: string): string | undefined {
  if (text.length > MAX_ADDRESS_CHARACTERS) return `must have at most ${MAX_ADDRESS_CHARACTERS} characters`;
  if (/\p{Cc}/u.test(text)) return 'must be one line without control characters';
  return /[\p{L}\p{N}]/u.test(text) ? undefined : 'must have a letter or a digit';
}

/** Returns the schema of an address on one line. */
export const addressText = (description: string) =>
  Type.Refine(
    Type.String({ maxLength: MAX_ADDRESS_CHARACTERS, description, examples: ['932 W Randolph St, Chicago, IL 60607'] }),
    (text) => addressFault(text) === undefined,
    (text) => addressFault(String(text)) ?? '',
  );

/** An address that a request may have instead of a coordinate. */
export const ADDRESS_PARAMETER = Type.Optional(
  addressText(
    "An address, a postal code, or a city and its state, in the US or Canada. It's geocoded and used instead of the coordinate. If both are sent, the coordinate is used.",
  ),
);

/** Makes coordinates required in requests without an address. */
export function coordinateOrAddress(...coordinate: readonly string[]) {
  return { if: { required: ['address'] }, else: { required: [...coordinate] } };
}
