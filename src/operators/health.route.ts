import type { Http } from '../http/http.ts';
import { HealthSchema } from './health-schema.ts';
import { type HealthDeps, readHealth } from './read-health.flow.ts';

const schema = {
  operationId: 'readServiceHealth',
  tags: ['Operator'],
  summary: 'Queues, failing channels and endpoints, outside parties, database and disk',
  description: 'What waits, since when, and what fails, at the moment of the request.',
  response: { 200: HealthSchema },
};

/** GET /operator/health. */
export function healthRoute(http: Http, deps: HealthDeps): void {
  http.get('/operator/health', { schema, config: { audience: 'operator' } as const }, () => readHealth(deps));
}
