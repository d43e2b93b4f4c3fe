import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Http } from '../../../src/platform/http/http.ts';

const LARGE_TIP = /"driver_tip_cents":\s*[1-9]\d{3}/;

/** The service with two planted faults: a large tip answers 500, and card lists contain an extra field. */
export function withPlantedFaults(http: Http): Http {
  const inject = async (request: InjectOptions): Promise<Partial<LightMyRequestResponse>> => {
    const { raw, statusCode, headers, rawPayload } = await http.inject(request);
    const body = Buffer.isBuffer(request.payload) ? request.payload.toString() : '';
    if (raw.req.url?.startsWith('/order/tip') && LARGE_TIP.test(body)) {
      return { raw, headers, statusCode: 500, rawPayload: internalError(), body: internalError().toString() };
    }
    const isList = raw.req.url?.startsWith('/payment/list') && statusCode === 200 && !headers['content-encoding'];
    const payload = isList ? Buffer.from(rawPayload.toString().replace('{', '{"planted":1,')) : rawPayload;
    return { raw, headers, statusCode, rawPayload: payload, body: payload.toString() };
  };
  return { inject, swagger: () => http.swagger(), printRoutes: () => http.printRoutes() } as unknown as Http;
}

/** Matches the service's own 500, which the OpenAPI document covers. */
function internalError(): Buffer {
  const sentence = 'Something went wrong.';
  const problem = { type: 'urn:doorstep:error:internal_error', title: 'Internal error', status: 500, detail: sentence };
  return Buffer.from(JSON.stringify({ ...problem, code: 'internal_error', error: sentence, request_id: 'req_x' }));
}
