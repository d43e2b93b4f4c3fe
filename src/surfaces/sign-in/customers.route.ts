import { Type } from 'typebox';
import type { KeyCaller } from '../../access/accounts/account.ts';
import { type Customer, readContact, scopeText } from '../../access/customers/customer.ts';
import { deleteCustomer, findCustomer, saveCustomer } from '../../access/customers/customers.db.ts';
import { type Grant, listGrants } from '../../access/customers/grants.db.ts';
import { USER_ID } from '../../ordering/payments/payment-method.ts';
import type { Db } from '../../platform/db/connect.ts';
import { named } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';

/* Customers whom an account vouches for: anyone who signs in with the contact is then this user of the account. */

const Params = Type.Object({ user_id: USER_ID });
const contact = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 254, description }));
const name = Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Omit it to keep it unchanged.' }));
const time = (description: string) => Type.Integer({ description: `${description}, in epoch seconds.` });

const CustomerSchema = Type.Object(
  {
    user_id: Type.String(),
    email: Type.Optional(Type.String({ description: 'Absent if there is none.' })),
    phone: Type.Optional(Type.String({ description: 'In E.164 format. Absent if there is none.' })),
    first_name: Type.Optional(Type.String({ description: 'Absent if there is none.' })),
    last_name: Type.Optional(Type.String({ description: 'Absent if there is none.' })),
    connections: Type.Array(
      Type.Object({
        client_name: Type.String(),
        client_host: Type.String({ description: "Empty for an app on the customer's device." }),
        scope: Type.String(),
        max_order_cents: Type.Optional(Type.Integer({ description: "Absent if it can't place orders." })),
        created_at: time('When the customer allowed it'),
      }),
      { description: 'The apps connected by the customer, newest first.' },
    ),
  },
  named('Customer', 'A customer who can sign in.'),
);

const words = (operationId: string, summary: string, description: string) => ({
  operationId,
  summary,
  description,
  example: { path: { user_id: 'user-3' } },
  params: Params,
});
const noCustomer = () => new Refusal('not_found', 'No customer who can sign in has this user_id.');

/** PUT, GET and DELETE /account/customers/{user_id}, in the mode of the key. */
export function customerRoutes(http: Http, { db, clock }: { db: Db; clock: Clock }): void {
  const show = async (customer: Customer) => presentCustomer(customer, await listGrants(db, customer));
  http.put(
    '/account/customers/:user_id',
    {
      config: { scope: 'order', refuses: ['contact_taken'] },
      schema: {
        ...words(
          'saveCustomer',
          'Vouch for the contacts of a user',
          'Anyone who proves one of these contacts signs in as this user.',
        ),
        example: { path: { user_id: 'user-3' }, body: { email: 'sam@example.com' } },
        body: Type.Object({
          email: contact("The user's ID."),
          phone: contact('With the country code.'),
          first_name: name,
          last_name: name,
        }),
        response: { 200: CustomerSchema },
      },
    },
    async ({ caller, params, body }) => {
      const contacts = { email: readOf('email', body.email), phone: readOf('phone', body.phone) };
      if (!contacts.email && !contacts.phone) throw fault('email', 'or phone is required');
      const user = userOf(caller, params.user_id);
      const names = { firstName: body.first_name ?? null, lastName: body.last_name ?? null };
      await saveCustomer(db, { ...user, ...contacts, ...names }, clock.now());
      return show(await requireCustomer(db, user));
    },
  );
  http.get(
    '/account/customers/:user_id',
    {
      config: { scope: 'read', refuses: ['not_found'] },
      schema: {
        ...words('readCustomer', 'A customer who can sign in', 'All data that the sign-in stores about a customer.'),
        response: { 200: CustomerSchema },
      },
    },
    async ({ caller, params }) => show(await requireCustomer(db, userOf(caller, params.user_id))),
  );
  http.delete(
    '/account/customers/:user_id',
    {
      config: { scope: 'order', refuses: ['not_found'] },
      schema: {
        ...words(
          'deleteCustomer',
          'End the sign-in of a user',
          'With every session and connection. Orders and cards stay.',
        ),
        response: {
          200: Type.Object({ user_id: Type.String(), deleted: Type.Literal(true) }, { description: 'It ended.' }),
        },
      },
    },
    async ({ caller, params: { user_id: userId } }) => {
      if (!(await deleteCustomer(db, userOf(caller, userId)))) throw noCustomer();
      return { user_id: userId, deleted: true as const };
    },
  );
}

async function requireCustomer(db: Db, user: Parameters<typeof findCustomer>[1]): Promise<Customer> {
  const customer = await findCustomer(db, user);
  if (!customer) throw noCustomer();
  return customer;
}

/** The user of a request; a key of one user names no other. */
function userOf({ accountId, mode, userId: own }: KeyCaller, userId: string) {
  if (own !== undefined && own !== userId) throw noCustomer();
  return { accountId, mode, userId };
}

const fault = (name: string, message: string) => invalidRequest([{ in: 'body', name, message }]);

function readOf(kind: 'email' | 'phone', text: string | undefined): string | null {
  if (text === undefined) return null;
  const read = readContact(text);
  if (read?.kind !== kind) throw fault(kind, kind === 'email' ? 'must be an email address' : 'must be in E.164');
  return read.value;
}

function presentCustomer({ userId, email, phone, firstName, lastName }: Customer, grants: readonly Grant[]) {
  return {
    user_id: userId,
    ...(email !== null && { email }),
    ...(phone !== null && { phone }),
    ...(firstName !== null && { first_name: firstName }),
    ...(lastName !== null && { last_name: lastName }),
    connections: grants.map(({ clientName, clientHost, scopes, maxOrderCents, createdAt }) => ({
      client_name: clientName,
      client_host: clientHost,
      scope: scopeText(scopes),
      ...(maxOrderCents !== null && { max_order_cents: maxOrderCents }),
      created_at: Math.floor(createdAt.epochMilliseconds / 1000),
    })),
  };
}
