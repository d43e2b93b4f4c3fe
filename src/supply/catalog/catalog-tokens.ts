import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { Mode } from '../stores/store.ts';

const STORE_ID_BYTES = 12;
const NUMBER_BYTES = 4;
const NO_NUMBER = '00'.repeat(NUMBER_BYTES);

export type ProductRef = { storeId: string; productNo: number };
export type CategoryRef = { storeId: string; categoryNo: number };
/** A slot of a store in one mode; epoch seconds. */
export type SlotRef = { storeId: string; mode: Mode; startEpochS: number; endEpochS: number };

export function sealProduct(tokens: TokenSealer, { storeId, productNo }: ProductRef): string {
  return tokens.seal('product', pack(storeId, productNo));
}

/** Opens a product token; undefined unless this service sealed it as one. */
export function openProduct(tokens: TokenSealer, token: string): ProductRef | undefined {
  const payload = tokens.open('product', token);
  return payload && { storeId: decodeStoreId(payload), productNo: payload.readUInt32BE(STORE_ID_BYTES) };
}

export function sealCategory(tokens: TokenSealer, { storeId, categoryNo }: CategoryRef): string {
  return tokens.seal('category', pack(storeId, categoryNo));
}

export function openCategory(tokens: TokenSealer, token: string): CategoryRef | undefined {
  const payload = tokens.open('category', token);
  return payload && { storeId: decodeStoreId(payload), categoryNo: payload.readUInt32BE(STORE_ID_BYTES) };
}

export function sealSlot(tokens: TokenSealer, slot: SlotRef): string {
  const minutes = Math.round((slot.endEpochS - slot.startEpochS) / 60);
  return tokens.seal(`slot:${slot.mode}`, pack(slot.storeId, slot.startEpochS / 60, minutes));
}

export function openSlot(tokens: TokenSealer, mode: Mode, token: string): SlotRef | undefined {
  const payload = tokens.open(`slot:${mode}`, token);
  if (!payload) return undefined;
  const startEpochS = payload.readUInt32BE(STORE_ID_BYTES) * 60;
  const minutes = payload.readUInt32BE(STORE_ID_BYTES + NUMBER_BYTES);
  return { storeId: decodeStoreId(payload), mode, startEpochS, endEpochS: startEpochS + minutes * 60 };
}

/** Seals a store's inventory version in one mode; it is never opened. */
export function menuId(tokens: TokenSealer, storeId: string, mode: Mode, digest: string): string {
  return tokens.seal(`menu:${mode}`, Buffer.from(`${storeId}:${digest}`).subarray(0, 48));
}

function pack(storeId: string, ...numbers: number[]): Buffer {
  // Buffers made from text are from Node's pool, which costs half as much as allocating.
  const bytes = Buffer.from(storeId + NO_NUMBER.repeat(numbers.length), 'hex');
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number, STORE_ID_BYTES + at * NUMBER_BYTES);
  return bytes;
}

function decodeStoreId(payload: Buffer): string {
  return payload.toString('hex', 0, STORE_ID_BYTES);
}
