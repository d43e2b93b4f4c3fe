import type { InstantColumn, JsonColumn, MaybeJsonColumn } from '../../platform/db/columns.ts';
import type { FeedMenuValue, MenuAction, MenuActor, MenuState } from './menu-change.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    menuEdits: {
      storeId: string;
      kind: 'category' | 'item' | 'sequence';
      externalId: string;
      feed: MaybeJsonColumn<FeedMenuValue>;
    };
    menuChanges: {
      storeId: string;
      changeNo: number;
      at: InstantColumn;
      actor: MenuActor['source'];
      actorId: string | null;
      action: MenuAction;
      /** The id and name of the item or category. */
      target: string;
      name: string;
      before: JsonColumn<MenuState>;
      after: JsonColumn<MenuState>;
      undoneBy: number | null;
    };
  }
}
