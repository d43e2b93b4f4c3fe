/** Sections begin where arrays of numbers of 8 bytes may begin. */
const ALIGNMENT = 8;

/** Sections one after the other, then the bytes of each. The number of sections is part of the format. */
export function joinSections(sections: readonly Uint8Array[]): Buffer {
  const lengths = Uint32Array.from(sections, ({ length }) => length);
  const padded = sections.flatMap((section) => [section, new Uint8Array(paddingOf(section.length))]);
  return Buffer.concat([...padded, bytesOf(lengths)]);
}

/** The sections, which lie in the memory of the block. Throws RangeError where the bytes are no such sections. */
export function splitSections(block: Buffer, count: number): Buffer[] {
  const bytes = block.byteOffset % ALIGNMENT === 0 ? block : alignedCopy(block);
  const end = bytes.length - count * 4;
  if (end < 0 || end % 4 !== 0) throw new RangeError('The block is too short.');
  const lengths = new Uint32Array(bytes.buffer, bytes.byteOffset + end, count);
  let at = 0;
  const sections = Array.from(lengths, (length) => {
    const section = bytes.subarray(at, at + length);
    at += length + paddingOf(length);
    return section;
  });
  if (at !== end) throw new RangeError('The block has another length.');
  return sections;
}

/** Numbers are written in the byte sequence of the machine; a snapshot stays on the machine that wrote it. */
export function bytesOf(numbers: Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** A section as numbers. Throws RangeError where there are not `count` of them. */
export function uint32sOf(section: Buffer, count: number = section.length / 4): Uint32Array {
  if (section.length !== count * 4) throw new RangeError('A section has another length.');
  return new Uint32Array(section.buffer, section.byteOffset, count);
}

/** The same of numbers of 8 bytes. */
export function float64sOf(section: Buffer, count: number): Float64Array {
  if (section.length !== count * 8) throw new RangeError('A section has another length.');
  return new Float64Array(section.buffer, section.byteOffset, count);
}

function paddingOf(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}

function alignedCopy(bytes: Buffer): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer);
}
