import { Type } from 'typebox';
import type { Config } from '../config.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import { pageSecurity } from '../http/security-headers.ts';
import { sendWebFile, WEB_FILE_ANSWER } from '../http/send-web-file.ts';
import { warmUpAfterStart } from '../http/warm-up-after-start.ts';
import { consoleFiles } from './console-files.cache.ts';

const schema = {
  operationId: 'readConsoleFile',
  tags: ['Console'],
  summary: 'A script or style of the console',
  description: 'Browsers keep the file for good: its name changes with its content.',
  params: Type.Object({ name: Type.String({ description: 'As the page names it, with the digest of its content.' }) }),
  response: { 200: WEB_FILE_ANSWER },
};

/** GET /console/assets/{name}. */
export function consoleFilesRoute(http: Http, { config }: { config: Config }): void {
  warmUpAfterStart(http, consoleFiles);
  http.get(
    '/console/assets/:name',
    {
      schema,
      config: { public: true, uncounted: true, refuses: ['route_not_found'] },
      helmet: pageSecurity(config.baseUrl),
    },
    async (request, reply) => {
      const file = (await consoleFiles()).byName.get(request.params.name);
      if (!file) throw new Refusal('route_not_found', 'There is no such file.');
      return sendWebFile(request, reply, file);
    },
  );
}
