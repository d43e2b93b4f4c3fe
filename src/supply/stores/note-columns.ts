/** The columns of a store's notes, for the command and the operator's page. */
export const NOTES = { Written: 'written_at', By: 'written_by', Who: 'writer', Note: 'text', ID: 'note_id' };
