import type { ColumnsOf } from '../../platform/db/columns.ts';
import type { MenuChange } from './menu.db.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    menuChanges: ColumnsOf<MenuChange> & { storeId: string };
  }
}
