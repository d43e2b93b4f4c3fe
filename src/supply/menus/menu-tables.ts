import type { InstantColumn, JsonColumn } from '../../platform/db/columns.ts';
import type { MenuAction, MenuActor, MenuState } from './menu-edits.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
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
