import { contentAnswer } from '../http/content-answers.ts';
import type { Http } from '../http/http.ts';
import { DRIVER_PHOTO_PATH } from './simulated-courier.ts';

/** A drawing, because a photo would show a person. */
const PHOTO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img" aria-label="Sandbox Driver">
<rect width="96" height="96" fill="#d9e6ee"/>
<path d="M12 96c0-20 16-32 36-32s36 12 36 32z" fill="#2f5d73"/>
<path d="M40 60h16v12a8 8 0 0 1-16 0z" fill="#c98f6b"/>
<circle cx="48" cy="44" r="20" fill="#dba57f"/>
<path d="M27 40a21 21 0 0 1 42 0z" fill="#e0533d"/>
<path d="M27 38h50a3 3 0 0 1 0 6H27z" fill="#b93f2c"/>
<circle cx="41" cy="49" r="2.4" fill="#3a2a20"/><circle cx="55" cy="49" r="2.4" fill="#3a2a20"/>
<path d="M41 55q7 6 14 0" fill="none" stroke="#3a2a20" stroke-width="2.4" stroke-linecap="round"/>
</svg>
`;

const schema = {
  operationId: 'readSandboxDriverPhoto',
  tags: ['Sandbox'],
  summary: "The simulated driver's photo",
  description: "Pages of any site may show it, as they may show a real driver's photo.",
  response: { 200: contentAnswer('A drawing, the `driver_photo_url` of sandbox orders.', ['image/svg+xml']) },
};

/** GET /sandbox/driver.svg: pages of any site may show it, as they may show a real driver's photo. */
export function simulatedDriverPhotoRoute(http: Http): void {
  const helmet = { crossOriginResourcePolicy: { policy: 'cross-origin' } } as const;
  http.get(DRIVER_PHOTO_PATH, { schema, config: { public: true, uncounted: true }, helmet }, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(PHOTO),
  );
}
