import { qrcode } from 'receiptline';

/** Draws a QR code as SVG: one square per module. The quiet zone around them is part of the code. */
export function qrCodeSvg(data: string): string {
  const rows = qrcode.generate({ data, type: 'qrcode', cell: 3, level: 'm', quietZone: true });
  const dark = rows.flatMap((row, y) => Array.from(row, (module, x) => (module === 1 ? `M${x} ${y}h1v1h-1z` : '')));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${rows.length} ${rows.length}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${rows.length}v${rows.length}H0z"/><path d="${dark.join('')}"/></svg>`;
}
