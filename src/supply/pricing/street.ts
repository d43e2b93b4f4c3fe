/** A house number at the start of a street address: `120`, `12B`, `1-123`, `12 1/2`; not `5th`. */
const HOUSE_NUMBER = /^(\d+(?!\d|st\b|nd\b|rd\b|th\b)[\w/-]*(?:\s+\d\/\d)?),?\s+(\S.*)$/i;

/** Splits a street address into number and name. Without a leading number, the whole text is the name. */
export function splitStreet(streetAddr: string): { streetNum: string; streetName: string } {
  const [, streetNum = '', streetName = streetAddr] = HOUSE_NUMBER.exec(streetAddr.trim()) ?? [];
  return { streetNum, streetName: streetName.trim() };
}
