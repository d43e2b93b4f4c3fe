import type { Config } from '../config.ts';
import { contentAnswer } from '../http/content-answers.ts';
import type { Http } from '../http/http.ts';
import { staticAnswer } from '../http/static-answer.ts';
import { llmsText } from './llms-text.ts';

const schema = {
  operationId: 'readLlmsText',
  tags: ['Agents'],
  summary: 'What the service is, for language models',
  description: 'What the service does, how an agent asks the service, and where its documents are, on one page.',
  response: { 200: contentAnswer('Markdown of the llms.txt convention.', ['text/plain']) },
};

/** GET /llms.txt. No key is needed. */
export function llmsTextRoute(http: Http, { config }: { config: Pick<Config, 'baseUrl' | 'metrics'> }): void {
  const text = llmsText(config.baseUrl, { hasReference: !config.metrics });
  const send = staticAnswer('text/plain; charset=utf-8', () => text);
  http.get('/llms.txt', { config: { public: true, conditional: true }, schema }, async (request, reply) => {
    return (await send(request, reply)) as never;
  });
}
