/**
 * Sends SMS. `sendText` ends within 20 seconds: when the provider has taken it, or with an OutsideError, retryable
 * unless the provider will never take this text for this number (E.164).
 */
export type Texter = { sendText(text: { to: string; body: string }): Promise<void> };
