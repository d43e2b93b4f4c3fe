/** Flags of extended WKB in the type's upper bits: further numbers of a position, and a reference system before it. */
const HAS_MORE_NUMBERS = 0xc000_0000;
const HAS_SYSTEM = 0x2000_0000;
const POINT = 1;

/**
 * Longitude and latitude of a point in well-known binary, in either byte order, plain or extended (ISO types 1001 to
 * 3001, or flags); null for any other geometry and for malformed bytes.
 */
export function positionOfWkb(bytes: Uint8Array): [longitude: number, latitude: number] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 21 || view.getUint8(0) > 1) return null;
  const isLittle = view.getUint8(0) === 1;
  const type = view.getUint32(1, isLittle);
  const plainType = (type & ~(HAS_MORE_NUMBERS | HAS_SYSTEM)) >>> 0;
  if (plainType % 1000 !== POINT || plainType > 3001) return null;
  const start = (type & HAS_SYSTEM) === 0 ? 5 : 9;
  if (view.byteLength < start + 16) return null;
  return [view.getFloat64(start, isLittle), view.getFloat64(start + 8, isLittle)];
}
