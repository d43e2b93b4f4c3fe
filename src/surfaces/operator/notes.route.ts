import { Type } from 'typebox';
import { type By, operation } from '../../access/operations/operation.ts';
import { refuseSandbox } from '../../access/sessions/merchant.ts';
import type { Context } from '../../platform/db/context.ts';
import { component, describedObject } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { EXAMPLE_STORE_ID } from '../../supply/stores/example-store.ts';
import { deleteNote, insertNote, listNotes } from '../../supply/stores/store-notes.db.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { maybeText, showRow } from './field-schemas.ts';
import { StoreParams, storeNotFound } from './stores.route.ts';
import { NOTES } from './tables.ts';

/* Notes about a store: operators see all of them, a store its own. */

const MAX_NOTES = 200;
const NoteSchema = component('StoreNote', 'A note about a store.', {
  note_id: Type.String(),
  store_id: Type.String(),
  written_by: Type.Enum(['store', 'operator']),
  writer: maybeText("The operator or staff member. Null for the store's owner or key."),
  text: Type.String(),
  written_at: Type.Integer({ description: 'Epoch seconds.' }),
});
const STORE = { admit: refuseSandbox, refuses: ['live_only'] } as const;
/** The store that a caller means: its own, or the one that an operator names. */
const storeOf = (by: By, named = '') => (by.surface === 'store' ? by.merchant.storeId : named);

export const NOTE_OPERATIONS = [
  operation({
    name: 'listNotes',
    endpoint: 'GET /notes',
    summary: "List a store's notes",
    description: `The newest ${MAX_NOTES}, newest first. A store sees only its own notes, and operators all.`,
    example: {},
    operatorFields: StoreParams,
    answer: describedObject('Newest first.', { notes: Type.Array(NoteSchema) }),
    on: {
      store: STORE,
      operator: {
        role: 'viewer',
        example: { query: { store_id: EXAMPLE_STORE_ID } },
        command: 'stores notes <store_id>',
        table: NOTES,
      },
    },
  }).run(async ({ db }: Context, { by, more }) => {
    const writers = by.surface === 'store' ? (['store'] as const) : (['store', 'operator'] as const);
    return { notes: (await listNotes(db, storeOf(by, more.store_id), writers, MAX_NOTES)).map(showRow) };
  }),
  operation({
    name: 'createNote',
    endpoint: 'POST /notes',
    summary: 'Write a note about a store',
    description: 'Operators see it on the page of the store.',
    example: { body: { text: 'Rings twice before 11.' } },
    refuses: ['store_not_found'],
    body: Type.Object({ text: Type.String({ maxLength: 2000, pattern: '\\S', description: 'The note.' }) }),
    operatorFields: StoreParams,
    answer: NoteSchema,
    on: {
      store: STORE,
      operator: {
        role: 'admin',
        example: { body: { store_id: EXAMPLE_STORE_ID, text: 'Prefers calls before 11.' } },
        command: 'stores note <store_id>',
      },
    },
  }).run((_deps: Context, { by, save, body: { text }, more }) =>
    save(
      async (tx, at) => {
        const storeId = storeOf(by, more.store_id);
        if (!(await findStore(tx, storeId))) throw storeNotFound();
        const written = { writtenBy: by.surface, writer: by.session?.name ?? null, text: text.trim(), writtenAt: at };
        const note = { noteId: randomId('note_', 12), storeId, ...written };
        await insertNote(tx, note);
        return showRow(note);
      },
      ({ note_id, store_id }) => ({ action: 'store.note', target: store_id, details: { note_id } }),
    ),
  ),
  operation({
    name: 'endNote',
    endpoint: 'POST /notes/:note_id/end',
    summary: 'Delete a note about a store',
    description: 'A store deletes only its own notes.',
    example: { path: { note_id: '{note_id}' } },
    refuses: ['not_found'],
    params: Type.Object({ note_id: Type.String({ maxLength: 64, description: 'A note.' }) }),
    body: Type.Object({}),
    answer: NoteSchema,
    on: { store: STORE, operator: { role: 'admin', command: 'stores end-note <note_id>' } },
  }).run((_deps: Context, { by, save, params }) =>
    save(
      async (tx) => {
        const note = await deleteNote(tx, params.note_id, by.surface === 'store' ? by.merchant.storeId : undefined);
        if (!note) throw new Refusal('not_found', 'There is no such note.');
        return showRow(note);
      },
      ({ note_id, store_id }) => ({ action: 'store.end_note', target: store_id, details: { note_id } }),
    ),
  ),
];
