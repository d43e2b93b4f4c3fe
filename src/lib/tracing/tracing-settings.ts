import { httpUrl, numberBetween } from '../parse-setting.ts';
import { SAMPLERS, type SamplerSettings } from './sampler.ts';

/** Where traces go, and which of them. */
export type TracingSettings = {
  /** The address of the collector that takes traces as OTLP over HTTP. */
  tracesUrl: string;
  /** Headers of each export; they may hold a key. */
  headers: Readonly<Record<string, string>>;
  /** Attributes of the process, `service.name` among them. */
  resource: Readonly<Record<string, string>>;
  sampler: SamplerSettings;
};

type Environment = Readonly<Record<string, string | undefined>>;

const NAME = /^[!#$%&'*+.^_`|~\w-]{1,256}$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;
const MAX_PAIRS = 64;

/** Reads the settings of OpenTelemetry by their standard names; undefined without OTEL_EXPORTER_OTLP_ENDPOINT. */
export function readTracing(env: Environment, faults: string[]): TracingSettings | undefined {
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, expected: string): T => {
    const text = env[name]?.trim();
    const value = text ? parse(text) : fallback;
    if (value === undefined && text) faults.push(`${name} must be ${expected}.`);
    return value ?? fallback;
  };
  const pairs = 'NAME=VALUE, separated by commas, each value percent-encoded';
  const plainUrl = 'an http or https URL without a query';
  const endpoint = read<string | undefined>('OTEL_EXPORTER_OTLP_ENDPOINT', undefined, httpUrl, plainUrl);
  const headers = read('OTEL_EXPORTER_OTLP_HEADERS', {}, headersIn, pairs);
  const resource = read('OTEL_RESOURCE_ATTRIBUTES', {}, parsePairs, pairs);
  const serviceName = env.OTEL_SERVICE_NAME?.trim();
  const sampler = {
    name: read('OTEL_TRACES_SAMPLER', 'parentbased_always_on', samplerIn, `one of ${SAMPLERS.join(', ')}`),
    ratio: read('OTEL_TRACES_SAMPLER_ARG', 1, numberBetween(0, 1), 'a number from 0 to 1'),
  };
  if (endpoint === undefined) return undefined;
  const named = { 'service.name': 'doorstep', ...resource, ...(serviceName ? { 'service.name': serviceName } : {}) };
  return { tracesUrl: `${endpoint}/v1/traces`, headers, resource: named, sampler };
}

function samplerIn(text: string): SamplerSettings['name'] | undefined {
  return SAMPLERS.find((name) => name === text.toLowerCase());
}

function headersIn(text: string): Record<string, string> | undefined {
  const headers = parsePairs(text);
  const isSendable = headers && Object.values(headers).every((value) => HEADER_VALUE.test(value));
  return isSendable ? headers : undefined;
}

/** Pairs in the form of W3C Baggage, as OpenTelemetry's settings have them: a=1,b=two%20words. */
function parsePairs(text: string): Record<string, string> | undefined {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? ['', ''] : [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
    });
  const isRight = pairs.every(([name = '', value]) => NAME.test(name) && value !== undefined);
  return isRight && pairs.length <= MAX_PAIRS ? Object.fromEntries(pairs) : undefined;
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
