import { Type } from 'typebox';
import { refuseSandbox } from '../../access/sessions/merchant.ts';
import {
  addStaff,
  MAX_STAFF,
  type NewCode,
  removeStaff,
  replaceStaffCode,
} from '../../access/sessions/set-staff.flow.ts';
import { listStaff } from '../../access/sessions/staff.db.ts';
import type { Db } from '../../platform/db/connect.ts';
import { component, describedObject, orNull } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { snakeCase } from '../../platform/lib/snake-case.ts';
import { epochSeconds } from '../../platform/lib/time.ts';

/** Store API endpoints where a store's owner names its staff, each with a code of their own. */

const NewCodeSchema = component('StaffCode', "A staff member's access code.", {
  staff_id: Type.String(),
  name: Type.String(),
  code: Type.String({ description: 'Signs in to the console any number of times. Shown only once.' }),
});
const listSchema = {
  operationId: 'listStoreStaff',
  summary: "List the store's staff by name",
  description:
    'Lists staff members who sign in with their own codes. Requires the owner, in the console. Store keys are refused.',
  response: {
    200: describedObject(`Up to ${MAX_STAFF}.`, {
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
  },
};
const addSchema = {
  operationId: 'addStoreStaff',
  summary: 'Add a staff member with an access code',
  description: `The menu's history names them. A store can have up to ${MAX_STAFF}, each with a different name. Requires the owner, in the console.`,
  example: { body: { name: 'Maria' } },
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 60, description: 'The name shown in the history.' }),
  }),
  response: { 200: NewCodeSchema },
};
const params = Type.Object({ staff_id: Type.String({ maxLength: 64, description: 'The ID from the list of staff.' }) });
const codeSchema = {
  operationId: 'replaceStoreStaffCode',
  summary: "Replace a staff member's access code",
  description:
    'The previous code stops working, and every tablet that it signed in is signed out. Requires the owner, in the console.',
  example: { path: { staff_id: '{staff_id}' } },
  params,
  body: Type.Object({}),
  response: { 200: NewCodeSchema },
};
const removeSchema = {
  operationId: 'removeStoreStaff',
  summary: 'Remove a staff member',
  description:
    'Their code stops working and their tablets are signed out immediately. The history keeps the name. Requires the owner, in the console.',
  example: { path: { staff_id: '{staff_id}' } },
  params,
  body: Type.Object({}),
  response: {
    200: describedObject('They can no longer sign in.', { staff_id: Type.String(), removed: Type.Literal(true) }),
  },
};
const config = { audience: 'store', ownerOnly: 'session', refuses: ['live_only'] } as const;
const memberConfig = { ...config, refuses: ['live_only', 'not_found'] } as const;

/** GET and POST /store/staff, POST /store/staff/{staff_id}/code and /remove. */
export function staffRoutes(http: Http, { db, clock }: { db: Db; clock: Clock }): void {
  http.get('/store/staff', { schema: listSchema, config }, async ({ merchant }) => {
    refuseSandbox(merchant);
    const staff = await listStaff(db, merchant.storeId);
    return { staff: staff.map((member) => snakeCase(member, epochSeconds)) };
  });
  http.post('/store/staff', { schema: addSchema, config }, async ({ merchant, body: { name } }) => {
    refuseSandbox(merchant);
    const { storeId } = merchant;
    const added = await db.transaction().execute((tx) => addStaff(tx, { storeId, name }, clock.now()));
    return presentCode(added);
  });
  http.post(
    '/store/staff/:staff_id/code',
    { schema: codeSchema, config: memberConfig },
    async ({ merchant, params: { staff_id: staffId } }) => {
      refuseSandbox(merchant);
      const { storeId } = merchant;
      const replaced = await db.transaction().execute((tx) => replaceStaffCode(tx, { storeId, staffId }, clock.now()));
      return presentCode(replaced);
    },
  );
  http.post(
    '/store/staff/:staff_id/remove',
    { schema: removeSchema, config: memberConfig },
    async ({ merchant, params: { staff_id: staffId } }) => {
      refuseSandbox(merchant);
      const { storeId } = merchant;
      await db.transaction().execute((tx) => removeStaff(tx, { storeId, staffId }, clock.now()));
      return { staff_id: staffId, removed: true as const };
    },
  );
}

const presentCode = ({ staffId, name, code }: NewCode) => ({ staff_id: staffId, name, code });
