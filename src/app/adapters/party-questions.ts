import { errorCode, errorMessage } from 'doorstep/files';
import { readCertificateEnd } from 'doorstep/public-http';
import type { Config } from '../../platform/config/config.ts';
import { prefixOf, settingName } from '../../platform/config/plugin-settings.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { MIN_CERTIFICATE_DAYS } from '../../surfaces/operator/conditions.ts';
import { checkReadable, PartyRefused, readParty } from './outside-call.ts';
import type { Plugin } from './plugin.ts';

/** An external service's answer to a request that changes nothing there. */
export type PartyAnswer = { subject: string; state: 'ok' | 'warning' | 'error'; text: string };

type Answer = Pick<PartyAnswer, 'state' | 'text'>;
/** A configured party. `ask` rejects if it does not work, and may return a warning or a finding. */
type Question = { subject: string; ask(): Promise<string | Answer | undefined> };

type PartyConfig = Config & { plugins: { all: readonly Plugin[] } };
type PartyUrls = Readonly<Record<string, Readonly<Record<string, string>>>>;

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;

/** Asks every configured party at once: a greeting, a read or a certificate, never a message or a charge. */
export function askParties(config: PartyConfig, urls: PartyUrls = {}): Promise<PartyAnswer[]> {
  return Promise.all(
    questionsOf(config, urls).map(async ({ subject, ask }): Promise<PartyAnswer> => {
      try {
        const answer = (await ask()) ?? { state: 'ok', text: 'answers' };
        return { subject, ...(typeof answer === 'string' ? { state: 'warning', text: answer } : answer) };
      } catch (error) {
        return { subject, state: 'error', text: reasonOf(error) };
      }
    }),
  );
}

/** Returns a code or reason only: messages of parties may repeat a key. */
function reasonOf(error: unknown): string {
  if (error instanceof PartyRefused) return error.message;
  if (error instanceof DOMException) return 'does not answer in time';
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return `does not work: ${errorCode(cause) ?? errorMessage(cause).slice(0, 100)}`;
}

function questionsOf(config: PartyConfig, urls: PartyUrls): Question[] {
  const { plugins, pluginSettings, openid, printerFont, mapTiles } = config;
  const questions: Question[] = [];
  const add = (subject: string, ask: Question['ask']) => void questions.push({ subject, ask });
  for (const plugin of plugins.all) {
    const { name, check } = plugin;
    const settings = pluginSettings.get(name);
    if (check && settings?.[check.setting] !== undefined)
      add(settingName(prefixOf(plugin), check.setting), () => check.ask({ settings, partyUrls: urls[name] ?? {} }));
  }
  if (openid) {
    const discovery = `${openid.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    add('OIDC_ISSUER', () => readParty(discovery));
  }
  const files = { PRINTER_FONT: printerFont, MAP_TILES: mapTiles && 'file' in mapTiles ? mapTiles.file : undefined };
  for (const [name, file] of Object.entries(files)) if (file) add(name, () => checkReadable(file));
  // Keyed by URL, because both settings often have the same one.
  const hosts = new Map(
    [config.trackingUrl, config.baseUrl].map((url) => [url, url === config.baseUrl ? 'BASE_URL' : 'TRACKING_URL']),
  );
  for (const [url, name] of hosts) if (url.startsWith('https:')) add(name, () => readCertificate(new URL(url)));
  return questions;
}

/** Resolves the host, and verifies its certificate as a browser would. */
async function readCertificate(url: URL): Promise<Answer> {
  const end = await readCertificateEnd(url, { timeoutMs: TIMEOUT_MS });
  const days = Math.floor((end.epochMilliseconds - systemClock.now().epochMilliseconds) / DAY_MS);
  return { state: days < MIN_CERTIFICATE_DAYS ? 'warning' : 'ok', text: `has a certificate that ends in ${days} days` };
}
