/** The head of the OpenAPI document; its paths come from the routes' own schemas. */
export const OPENAPI_INFO = {
  openapi: '3.1.0',
  info: {
    title: 'Doorstep',
    version: '0.1.0',
    description:
      'Find stores near a place, read their inventory and a quote, take a payment method, place an order and follow it to the door. Money is whole cents. Send your key in the Id-Token header.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  components: { securitySchemes: { key: { type: 'apiKey' as const, name: 'Id-Token', in: 'header' as const } } },
  security: [{ key: [] }],
};
