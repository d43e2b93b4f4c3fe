import { Type } from 'typebox';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import { sendWebFile, WEB_FILE_ANSWER } from '../http/send-web-file.ts';
import { warmUpAfterStart } from '../http/warm-up-after-start.ts';
import { driverFiles } from './driver-files.cache.ts';
import { type DriverDeps, driverSecurity } from './driver-schema.ts';

const schema = {
  operationId: 'readDriverFile',
  tags: ['Drivers'],
  summary: "A script or style of the driver's page",
  description: 'Browsers keep the file for good: its name changes with its content.',
  params: Type.Object({ name: Type.String({ description: 'As the page names it, with the digest of its content.' }) }),
  response: { 200: WEB_FILE_ANSWER },
};

/** GET /driver/assets/{name}. */
export function driverFilesRoute(http: Http, { config }: Pick<DriverDeps, 'config'>): void {
  warmUpAfterStart(http, driverFiles);
  http.get(
    '/driver/assets/:name',
    { schema, config: { public: true, uncounted: true, refuses: ['route_not_found'] }, helmet: driverSecurity(config) },
    async (request, reply) => {
      const file = (await driverFiles()).byName.get(request.params.name);
      if (!file) throw new Refusal('route_not_found', 'There is no such file.');
      return sendWebFile(request, reply, file);
    },
  );
}
