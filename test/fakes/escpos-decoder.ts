/** A styled run of text within a row; sizes are 1 to 8. */
export type Run = {
  text: string;
  width: number;
  height: number;
  isInverted: boolean;
  isEmphasized: boolean;
};

/** A printed row: its runs, and its whole text including leading spaces. */
export type PrintedRow = { text: string; runs: Run[] };

/** Dots printed as an image: `#` is black. */
export type PrintedImage = { width: number; height: number; rows: string[] };

export type Printout = {
  rows: PrintedRow[];
  images: PrintedImage[];
  /** Rows after which the paper was cut. */
  cuts: number[];
  /** The names of all commands in order. */
  commands: string[];
};

export type MultiByte = 'shift_jis' | 'gb18030' | 'euc-kr' | 'big5';

const ESC = 0x1b;
const FS = 0x1c;
const GS = 0x1d;
const CHARACTER_DOTS = 12;
const NO_LOOK = { width: 1, height: 1, isInverted: false, isEmphasized: false };
const PAGES: Readonly<Record<number, (bytes: Uint8Array) => string>> = {
  0: (bytes) => fromTable(bytes, CODE_PAGES.cp437),
  // Katakana, of which tickets use only the horizontal line.
  1: (bytes) => [...bytes].map((byte) => (byte === 0x95 ? '─' : fail(`byte ${byte} of page 1`))).join(''),
  16: (bytes) => new TextDecoder('windows-1252').decode(bytes),
  17: (bytes) => new TextDecoder('ibm866').decode(bytes),
  18: (bytes) => fromTable(bytes, CODE_PAGES.cp852),
  19: (bytes) => fromTable(bytes, CODE_PAGES.cp858),
  21: (bytes) => new TextDecoder('windows-874').decode(bytes.filter((byte) => byte !== 0)),
};

const fromTable = (bytes: Uint8Array, table: string): string =>
  [...bytes].map((byte) => table[byte - 128] ?? fail(`byte ${byte}`)).join('');

function fail(what: string): never {
  throw new Error(`The printer knows no ${what}.`);
}

/**
 * Interprets bytes like an ESC/POS printer. Throws unless every byte is text, or a command allowed in tickets with an
 * allowed value.
 */
export function decodeEscpos(bytes: Uint8Array, multiByte?: MultiByte): Printout {
  const printer = new Printer(bytes, multiByte);
  return printer.read();
}

class Printer {
  private readonly bytes: Uint8Array;
  private readonly multiByte: MultiByte | undefined;
  private at = 0;
  private page = 0;
  private isMultiByte = false;
  private look = NO_LOOK;
  private runs: Run[] = [];
  private skippedDots = 0;
  private image: PrintedImage | undefined;
  private readonly out: Printout = { rows: [], images: [], cuts: [], commands: [] };

  constructor(bytes: Uint8Array, multiByte: MultiByte | undefined) {
    this.bytes = bytes;
    this.multiByte = multiByte;
  }

  read(): Printout {
    while (this.at < this.bytes.length) {
      const byte = this.next();
      if (byte === ESC) this.escape();
      else if (byte === FS) this.kanji();
      else if (byte === GS) this.group();
      else if (byte === 0x0a) this.feed();
      else if (byte >= 0x20 && byte !== 0x7f) this.print(byte);
      else if (byte !== 0 || this.page !== 21) fail(`control byte ${byte}`);
    }
    return this.out;
  }

  private next(): number {
    return this.bytes[this.at++] ?? fail('command that is cut short');
  }

  private word(): number {
    return this.next() + this.next() * 256;
  }

  private one(of: readonly number[], name: string): number {
    const value = this.next();
    return of.includes(value) ? value : fail(`${name} ${value}`);
  }

  private escape(): void {
    const name = String.fromCharCode(this.next());
    this.out.commands.push(`ESC ${name}`);
    if (name === '@') this.look = NO_LOOK;
    else if (name === 'M') this.one([0x30, 0x61], 'font');
    else if (name === ' ') this.one([0], 'spacing');
    else if (name === '2') return;
    else if (name === '{') this.one([0], 'upside down');
    else if (name === 'a') this.one([0, 1, 2], 'alignment');
    else if (name === '$') this.one([0], 'position') + this.one([0], 'position');
    else if (name === '\\') this.skippedDots += this.word();
    else if (name === '-') this.one([0x30], 'underline');
    else if (name === 'E') this.look = { ...this.look, isEmphasized: this.one([0x30, 0x31], 'emphasis') === 0x31 };
    else if (name === 'R') this.one([8, 13], 'character set');
    else if (name === 't') this.setPage(this.next());
    else fail(`ESC ${name}`);
  }

  private setPage(page: number): void {
    this.page = page in PAGES ? page : fail(`code page ${page}`);
    this.isMultiByte = false;
  }

  private kanji(): void {
    const name = String.fromCharCode(this.next());
    this.out.commands.push(`FS ${name}`);
    if (name === '.') this.isMultiByte = false;
    else if (name === '&') this.isMultiByte = true;
    else if (name === 'C') this.isMultiByte = this.one([0x30, 0x31], 'kanji code') === 0x31;
    else if (name === '-') this.one([0x30], 'underline');
    else if (name === 'S') this.one([0], 'spacing') + this.one([0], 'spacing');
    else if (name === '(') this.one([0x41], 'FS (') + this.word() + this.one([48], 'font') + this.next();
    else fail(`FS ${name}`);
  }

  private group(): void {
    const name = String.fromCharCode(this.next());
    this.out.commands.push(`GS ${name}`);
    if (name === 'a') this.one([0], 'status');
    else if (name === 'L' || name === 'W') this.word();
    else if (name === 'B') this.look = { ...this.look, isInverted: this.one([0x30, 0x31], 'inversion') === 0x31 };
    else if (name === '!') this.setSize(this.next());
    else if (name === 'V') this.cut();
    else if (name === 'r') this.one([0x31], 'status');
    else if (name === '8') this.takeImage();
    else if (name === '(') this.printImage();
    else fail(`GS ${name}`);
  }

  private setSize(size: number): void {
    this.look = { ...this.look, width: (size >> 4) + 1, height: (size % 16) + 1 };
    if (this.look.width > 8 || this.look.height > 8) fail(`size ${size}`);
  }

  private cut(): void {
    this.one([0x42], 'cut');
    this.one([0], 'cut');
    this.out.cuts.push(this.out.rows.length);
  }

  private takeImage(): void {
    this.one([0x4c], 'GS 8');
    const size = this.word() + this.word() * 65536;
    const head = Array.from({ length: 6 }, () => this.next()).join();
    if (head !== '48,112,48,1,1,49') fail(`graphics ${head}`);
    const [width, height] = [this.word(), this.word()];
    const rowBytes = (width + 7) >> 3;
    if (size !== rowBytes * height + 10) fail(`graphics of ${size} bytes`);
    const bits = (byte: number) => byte.toString(2).padStart(8, '0').replaceAll('0', ' ').replaceAll('1', '#');
    const rows = Array.from({ length: height }, () =>
      Array.from({ length: rowBytes }, () => bits(this.next())).join(''),
    );
    this.image = { width, height, rows };
  }

  private printImage(): void {
    const rest = [this.next(), this.next(), this.next(), this.next(), this.next()].join();
    if (rest !== '76,2,0,48,50') fail(`GS ( ${rest}`);
    this.out.images.push(this.image ?? fail('image'));
    this.image = undefined;
  }

  private feed(): void {
    const before = ' '.repeat(Math.round(this.skippedDots / CHARACTER_DOTS));
    this.out.rows.push({ text: before + this.runs.map(({ text }) => text).join(''), runs: this.runs });
    this.runs = [];
    this.skippedDots = 0;
  }

  private print(first: number): void {
    const isPair = first >= 0x80 && this.isMultiByte && !(this.multiByte === 'shift_jis' && isHalfWidth(first));
    const second = isPair ? this.next() : 0;
    if (isPair && (second < 0x30 || second === 0x7f)) fail(`second byte ${second}`);
    const bytes = isPair ? Uint8Array.of(first, second) : Uint8Array.of(first);
    const text = first < 0x80 ? String.fromCharCode(first) : this.decode(bytes);
    const last = this.runs.at(-1);
    if (last && sameLook(last, this.look)) last.text += text;
    else this.runs.push({ text, ...this.look });
  }

  private decode(bytes: Uint8Array): string {
    if (this.isMultiByte) return new TextDecoder(this.multiByte ?? fail('two-byte letters')).decode(bytes);
    return (PAGES[this.page] ?? fail(`code page ${this.page}`))(bytes);
  }
}

/** Half-width katakana, one byte in Shift JIS. */
const isHalfWidth = (byte: number): boolean => byte > 0xa0 && byte < 0xe0;

function sameLook(a: Omit<Run, 'text'>, b: Omit<Run, 'text'>): boolean {
  return (
    a.width === b.width && a.height === b.height && a.isInverted === b.isInverted && a.isEmphasized === b.isEmphasized
  );
}

/** Characters of the bytes 128 to 255 in the code pages that the Encoding Standard lacks. */
const CODE_PAGES = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  cp858:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
} as const;
