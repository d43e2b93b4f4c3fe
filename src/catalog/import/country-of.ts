const UNITED_STATES: readonly string[] = ['US', 'USA', 'U.S.', 'U.S.A.', 'UNITED STATES', 'UNITED STATES OF AMERICA'];
const CANADA: readonly string[] = ['CA', 'CAN', 'CANADA'];

/** The two letters of a country that may be written out; another one stays as it is, for feed.md's rules to refuse. */
export function countryOf(name: string): string {
  const upper = name.toUpperCase();
  if (UNITED_STATES.includes(upper)) return 'US';
  return CANADA.includes(upper) ? 'CA' : name;
}
