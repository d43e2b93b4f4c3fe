/** The two ways an order reaches its customer; prices, hours and fees may differ between them. */
export type Mode = 'delivery' | 'pickup';
