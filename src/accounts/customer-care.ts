/** What an account offers its customers beside an order; null where the account has set none. */
export type CustomerCare = {
  helpUrl: string | null;
  helpEmail: string | null;
  /** In E.164. */
  helpPhone: string | null;
  /** Whether the tracking page lets a customer cancel while the step `cancel` is allowed. */
  customerCancel: boolean;
  /** A template of the link that orders the same again (`parseReorderUrl`). */
  reorderUrl: string | null;
};
