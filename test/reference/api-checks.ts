import { join } from 'node:path';
import { loadApart } from '../apart-packages.ts';

export type PrismRequest = {
  method: string;
  url: { path: string; query: Record<string, string> };
  headers: Readonly<Record<string, string>>;
  body?: unknown;
};
type Found = readonly { message: string; path?: readonly (string | number)[] }[];
type Outcome =
  | { _tag: 'Left'; left: Error }
  | { _tag: 'Right'; right: { validations: { input: Found; output: Found } } };

type ApiChecks = {
  createConfig(config: { extends: string[] }): Promise<object>;
  lintFromString(given: { source: string; absoluteRef: string; config: object }): Promise<RedoclyReport[]>;
  Spectral: new () => { setRuleset(ruleset: object): void; run(description: object): Promise<SpectralReport[]> };
  oas: object;
  getHttpOperationsFromSpec(description: object): Promise<object[]>;
  createInstance(
    config: object,
    parts: object,
  ): { request(request: PrismRequest, operations: object[]): () => Promise<Outcome> };
};
type RedoclyReport = { ruleId: string; location: { pointer?: string }[]; message: string };
type SpectralReport = { code: string | number; path: (string | number)[]; message: string };

export const loadApiChecks = () => loadApart<ApiChecks>(join(import.meta.dirname, './package'));
