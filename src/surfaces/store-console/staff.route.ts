import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { refuseSandbox } from '../../access/sessions/merchant.ts';
import {
  addStaff,
  MAX_STAFF,
  type NewCode,
  removeStaff,
  replaceStaffCode,
} from '../../access/sessions/set-staff.flow.ts';
import { listStaff } from '../../access/sessions/staff.db.ts';
import type { Context } from '../../platform/db/context.ts';
import { component, describedObject, orNull } from '../../platform/http/api-components.ts';
import { snakeCase } from '../../platform/lib/snake-case.ts';
import { epochSeconds } from '../../platform/lib/time.ts';

/** Store API endpoints where a store's owner names its staff, each with a code of their own. */

const NewCodeSchema = component('StaffCode', "A staff member's access code.", {
  staff_id: Type.String(),
  name: Type.String(),
  code: Type.String({ description: 'Signs in to the console any number of times. Shown only once.' }),
});
const ONE = {
  example: { path: { staff_id: '{staff_id}' } },
  params: Type.Object({ staff_id: Type.String({ maxLength: 64, description: 'The ID from the list of staff.' }) }),
  refuses: ['not_found'],
} as const;
const on = { store: { ownerOnly: 'session', refuses: ['live_only'], admit: refuseSandbox } } as const;

export const STAFF_OPERATIONS = [
  operation({
    name: 'listStoreStaff',
    endpoint: 'GET /staff',
    summary: "List the store's staff by name",
    description:
      'Lists staff members who sign in with their own codes. Requires the owner, in the console. Store keys are refused.',
    example: {},
    answer: describedObject(`Up to ${MAX_STAFF}.`, {
      staff: Type.Array(
        Type.Object({
          staff_id: Type.String(),
          name: Type.String(),
          created_at: Type.Integer({ description: 'Epoch seconds.' }),
          seen_at: orNull(
            Type.Integer(),
            'When their console was last open, in epoch seconds. Null before the first sign-in.',
          ),
        }),
      ),
    }),
    on,
  }).run(async ({ db }: Context, { by }) => {
    const staff = await listStaff(db, by.merchant.storeId);
    return { staff: staff.map((member) => snakeCase(member, epochSeconds)) };
  }),
  operation({
    name: 'addStoreStaff',
    endpoint: 'POST /staff',
    summary: 'Add a staff member with an access code',
    description: `The menu's history names them. A store can have up to ${MAX_STAFF}, each with a different name. Requires the owner, in the console.`,
    example: { body: { name: 'Maria' } },
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 60, description: 'The name shown in the history.' }),
    }),
    answer: NewCodeSchema,
    on,
  }).run((_deps: Context, { by, save, body: { name } }) =>
    save(async (tx, at) => presentCode(await addStaff(tx, { storeId: by.merchant.storeId, name }, at))),
  ),
  operation({
    ...ONE,
    name: 'replaceStoreStaffCode',
    endpoint: 'POST /staff/:staff_id/code',
    summary: "Replace a staff member's access code",
    description:
      'The previous code stops working, and every tablet that it signed in is signed out. Requires the owner, in the console.',
    answer: NewCodeSchema,
    on,
  }).run((_deps: Context, { by, save, params: { staff_id: staffId } }) =>
    save(async (tx, at) => presentCode(await replaceStaffCode(tx, { storeId: by.merchant.storeId, staffId }, at))),
  ),
  operation({
    ...ONE,
    name: 'removeStoreStaff',
    endpoint: 'POST /staff/:staff_id/remove',
    summary: 'Remove a staff member',
    description:
      'Their code stops working and their tablets are signed out immediately. The history keeps the name. Requires the owner, in the console.',
    answer: describedObject('They can no longer sign in.', { staff_id: Type.String(), removed: Type.Literal(true) }),
    on,
  }).run((_deps: Context, { by, save, params: { staff_id: staffId } }) =>
    save(async (tx, at) => {
      await removeStaff(tx, { storeId: by.merchant.storeId, staffId }, at);
      return { staff_id: staffId, removed: true as const };
    }),
  ),
];

const presentCode = ({ staffId, name, code }: NewCode) => ({ staff_id: staffId, name, code });
