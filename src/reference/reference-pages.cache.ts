import fastify from 'fastify';
import { madeOnce } from '../lib/made-once.ts';

/** The page loads everything from this service: no telemetry, no proxy, no agents, no foreign fonts. */
const CONFIGURATION = {
  pageTitle: 'Doorstep API reference',
  title: 'Doorstep API reference',
  url: '../openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never' as const,
};

/** The page of the reference, and its script of 4 MB. */
export type ReferencePages = { page: string; script: string };

/**
 * What the package's own plugin answers, read once in a process: loading the package takes an eighth of the processor time
 * of a start.
 */
export const referencePages = madeOnce(readPages);

async function readPages(): Promise<ReferencePages> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  await using http = fastify();
  await http.register(scalar, { routePrefix: '/reference', configuration: CONFIGURATION });
  const read = async (url: string) => (await http.inject(url)).body;
  return { page: await read('/reference/'), script: await read('/reference/js/scalar.js') };
}
