import {
  listOperatorActionsProcedure,
  listOperatorSessionsProcedure,
  revokeAnySessionProcedure,
} from './access.route.ts';
import {
  createAccountProcedure,
  createKeyProcedure,
  listAnyAccountsProcedure,
  listAnyKeysProcedure,
  readAnyAccountProcedure,
  renameAccountProcedure,
  revokeKeyProcedure,
  setAccountLimitsProcedure,
} from './accounts.route.ts';
import {
  acknowledgeAlertProcedure,
  listAlertsProcedure,
  setAlertWebhookProcedure,
  switchDutyProcedure,
} from './alerts/alerts.route.ts';
import {
  checkBrandingProcedure,
  readBrandingProcedure,
  setBrandingProcedure,
  verifyTrackingHostProcedure,
} from './branding.route.ts';
import { listDutiesProcedure } from './duties.route.ts';
import { forgetAnyUserProcedure } from './forget-user.route.ts';
import { readServiceHealthProcedure } from './health.route.ts';
import { listImportsProcedure, readImportProcedure } from './imports.route.ts';
import { listAnyOrdersProcedure } from './list-any-orders.route.ts';
import { exportAnyOrdersProcedure } from './list-exported-orders.route.ts';
import {
  addManualStoreProcedure,
  geocodeForOperatorProcedure,
  readManualStoreProcedure,
  setManualStoreProcedure,
} from './manual-stores.route.ts';
import { listMergesProcedure, undoMergeProcedure } from './merges.route.ts';
import {
  acknowledgeAnyOrderProcedure,
  completeAnyOrderProcedure,
  confirmAnyOrderProcedure,
  pickUpAnyOrderProcedure,
  readyAnyOrderProcedure,
} from './operator-steps.route.ts';
import {
  createOperatorCodeProcedure,
  createOperatorKeyProcedure,
  inviteOperatorProcedure,
  listOperatorsProcedure,
  readOperatorProcedure,
  setOperatorProcedure,
} from './operators.route.ts';
import {
  adjustAnyOrderProcedure,
  cancelAnyOrderProcedure,
  refundAnyOrderProcedure,
  resendAnyOrderProcedure,
  tipAnyOrderProcedure,
} from './order-desk.route.ts';
import { advanceAnyOrderProcedure, readOrderDocumentProcedure } from './order-document.route.ts';
import { readAnyOrderProcedure, replayWebhookCallProcedure } from './order-record.route.ts';
import {
  closeStatementsProcedure,
  downloadStatementsProcedure,
  listStatementsProcedure,
  readAnyStatementProcedure,
  readStoreTermsProcedure,
  setStoreTermsProcedure,
} from './statements.route.ts';
import { createStoreKeyProcedure, inviteStoreProcedure, sendStoreInvitationProcedure } from './store-access.route.ts';
import { listAnyProductsProcedure, setAnyProductProcedure } from './store-products.route.ts';
import {
  countOriginsProcedure,
  delistStoreProcedure,
  listFeedStoresProcedure,
  readStoreSettingsProcedure,
  relistStoreProcedure,
  setStoreAgreementProcedure,
  setStoreSwitchesProcedure,
} from './store-settings.route.ts';
import { listAnyStoresProcedure, readAnyStoreProcedure, setStoreChannelsProcedure } from './stores.route.ts';
import { downloadTaxesProcedure, listTaxesProcedure } from './taxes.route.ts';
import { retireTokensProcedure, rotateTokensProcedure } from './tokens.route.ts';
import { readTrendsProcedure } from './trends.route.ts';
import { listWaitingOrdersProcedure } from './waiting.route.ts';
import { rotateAccountSecretProcedure, rotateStoreSecretProcedure } from './webhook-secrets.route.ts';

/** Everything that operators do: endpoints, the types of the operator's pages, and commands follow from this list. */
export const PROCEDURES = [
  listAnyProductsProcedure,
  setAnyProductProcedure,
  rotateAccountSecretProcedure,
  rotateStoreSecretProcedure,
  listOperatorActionsProcedure,
  listOperatorSessionsProcedure,
  revokeAnySessionProcedure,
  listAnyAccountsProcedure,
  readAnyAccountProcedure,
  createAccountProcedure,
  createKeyProcedure,
  listAnyKeysProcedure,
  renameAccountProcedure,
  revokeKeyProcedure,
  setAccountLimitsProcedure,
  readBrandingProcedure,
  setBrandingProcedure,
  checkBrandingProcedure,
  verifyTrackingHostProcedure,
  forgetAnyUserProcedure,
  readServiceHealthProcedure,
  listImportsProcedure,
  readImportProcedure,
  listAnyOrdersProcedure,
  exportAnyOrdersProcedure,
  addManualStoreProcedure,
  setManualStoreProcedure,
  readManualStoreProcedure,
  geocodeForOperatorProcedure,
  listMergesProcedure,
  undoMergeProcedure,
  confirmAnyOrderProcedure,
  readyAnyOrderProcedure,
  pickUpAnyOrderProcedure,
  completeAnyOrderProcedure,
  acknowledgeAnyOrderProcedure,
  readOperatorProcedure,
  listOperatorsProcedure,
  setOperatorProcedure,
  inviteOperatorProcedure,
  createOperatorCodeProcedure,
  createOperatorKeyProcedure,
  refundAnyOrderProcedure,
  adjustAnyOrderProcedure,
  tipAnyOrderProcedure,
  cancelAnyOrderProcedure,
  resendAnyOrderProcedure,
  readAnyOrderProcedure,
  readOrderDocumentProcedure,
  advanceAnyOrderProcedure,
  replayWebhookCallProcedure,
  readStoreTermsProcedure,
  setStoreTermsProcedure,
  listStatementsProcedure,
  readAnyStatementProcedure,
  closeStatementsProcedure,
  downloadStatementsProcedure,
  rotateTokensProcedure,
  retireTokensProcedure,
  listTaxesProcedure,
  downloadTaxesProcedure,
  inviteStoreProcedure,
  createStoreKeyProcedure,
  sendStoreInvitationProcedure,
  countOriginsProcedure,
  listFeedStoresProcedure,
  readStoreSettingsProcedure,
  setStoreSwitchesProcedure,
  setStoreAgreementProcedure,
  delistStoreProcedure,
  relistStoreProcedure,
  listAnyStoresProcedure,
  readAnyStoreProcedure,
  setStoreChannelsProcedure,
  readTrendsProcedure,
  listDutiesProcedure,
  listWaitingOrdersProcedure,
  listAlertsProcedure,
  acknowledgeAlertProcedure,
  switchDutyProcedure,
  setAlertWebhookProcedure,
] as const;

/** The procedures by their endpoints, such as `GET /operator/accounts`. */
export type Procedures = { [One in (typeof PROCEDURES)[number] as One['endpoint']]: One };
