import { type Kysely, type RawBuilder, sql as raw, type Transaction } from 'kysely';
import type { EntityKey, EntityType } from './entity.ts';

/** The import's database, and a transaction of it. */
export type Db = Kysely<unknown>;
export type Sql = Transaction<unknown>;

/** Position of an entity in the input: file number and line. */
export type EntityPlace = { seq: number; file: number; line: number };
export type StagedEntity = EntityKey & EntityPlace & { body: string };

/** A reference to a missing entity. */
export type DanglingReference = EntityKey & EntityPlace & { property: string; otherType: EntityType; otherId: string };

const ENTITY = 'seq integer, file integer, line integer, type text, id text, body text';
const REFERENCE = `
  seq integer, parent_type text, parent_id text, child_type text, child_id text, position double precision,
  property text, by_parent boolean`;

/** Creates temporary tables, so that a feed of any size is joined outside of this process's memory. */
export async function createEntityStaging(sql: Sql): Promise<void> {
  await raw`create temporary table food_entities (${raw.raw(ENTITY)}) on commit drop`.execute(sql);
  await raw`create temporary table food_references (${raw.raw(REFERENCE)}) on commit drop`.execute(sql);
}

/** Rows are JSON texts, keyed by column. */
export async function stageEntities(sql: Sql, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  await raw`insert into food_entities select * from ${recordset(rows, ENTITY)}`.execute(sql);
}

export async function stageReferences(sql: Sql, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  await raw`insert into food_references select * from ${recordset(rows, REFERENCE)}`.execute(sql);
}

/** Keeps the last entity per type and id. Returns the dropped ones, up to the limit. */
export async function dropRepeatedEntities(sql: Sql, limit: number): Promise<(EntityKey & EntityPlace)[]> {
  await raw`create index on food_entities (type, id, seq)`.execute(sql);
  const { rows } = await raw<EntityKey & EntityPlace>`
    with gone as (
      delete from food_entities as e using food_entities as later
      where later.type = e.type and later.id = e.id and later.seq > e.seq
      returning e.type, e.id, e.seq, e.file, e.line
    ), unlinked as (
      delete from food_references as r using gone where r.seq = gone.seq
    )
    select distinct * from gone order by seq limit ${limit}`.execute(sql);
  await raw`create index on food_references (parent_type, parent_id, child_type, seq)`.execute(sql);
  await raw`analyze food_entities, food_references`.execute(sql);
  return rows;
}

/** References to missing entities, in feed order. */
export async function findDanglingReferences(sql: Sql, limit: number): Promise<DanglingReference[]> {
  const { rows } = await raw<DanglingReference>`
    select e.type, e.id, e.seq, e.file, e.line, r.property,
      case when r.by_parent then r.child_type else r.parent_type end as other_type,
      case when r.by_parent then r.child_id else r.parent_id end as other_id
    from food_references as r join food_entities as e on e.seq = r.seq
    where not exists (
      select 1 from food_entities as other
      where other.type = case when r.by_parent then r.child_type else r.parent_type end
        and other.id = case when r.by_parent then r.child_id else r.parent_id end)
    order by r.seq limit ${limit}`.execute(sql);
  return rows;
}

/** Restaurants after one position, in feed order. */
export async function findRestaurants(sql: Sql, afterSeq: number, limit: number): Promise<StagedEntity[]> {
  const { rows } = await raw<StagedEntity>`
    select type, id, seq, file, line, body from food_entities
    where type = 'Restaurant' and seq > ${afterSeq} order by seq limit ${limit}`.execute(sql);
  return rows;
}

/** A reference between two entities. Without a position, children are in feed order. */
export type StagedLink = { parent: EntityKey; child: EntityKey; position: number | null };

/** The children of these entities, in feed order. */
export async function findLinksBelow(sql: Sql, parents: readonly EntityKey[], limit: number): Promise<StagedLink[]> {
  const { rows } = await raw<{
    parentType: EntityType;
    parentId: string;
    childType: EntityType;
    childId: string;
    position: number | null;
  }>`
    select r.parent_type, r.parent_id, r.child_type, r.child_id, r.position
    from unnest(${parents.map(({ type }) => type)}::text[], ${parents.map(({ id }) => id)}::text[]) as p(type, id)
    join food_references as r on r.parent_type = p.type and r.parent_id = p.id
    left join food_entities as e on e.type = r.child_type and e.id = r.child_id
    order by e.seq, r.seq limit ${limit}`.execute(sql);
  return rows.map((row) => ({
    parent: { type: row.parentType, id: row.parentId },
    child: { type: row.childType, id: row.childId },
    position: row.position,
  }));
}

/** The total characters of these entities. */
export async function sizeOfEntities(sql: Sql, keys: readonly EntityKey[]): Promise<number> {
  const { rows } = await raw<{ size: number }>`
    select coalesce(sum(length(e.body)), 0)::bigint as size from ${keyRows(keys)}
    join food_entities as e on e.type = k.type and e.id = k.id`.execute(sql);
  return rows[0]?.size ?? 0;
}

export async function findEntities(sql: Sql, keys: readonly EntityKey[]): Promise<StagedEntity[]> {
  const { rows } = await raw<StagedEntity>`
    select e.type, e.id, e.seq, e.file, e.line, e.body from ${keyRows(keys)}
    join food_entities as e on e.type = k.type and e.id = k.id`.execute(sql);
  return rows;
}

const keyRows = (keys: readonly EntityKey[]): RawBuilder<unknown> =>
  raw`unnest(${keys.map(({ type }) => type)}::text[], ${keys.map(({ id }) => id)}::text[]) as k(type, id)`;

/** Expands JSON texts of rows to these columns. */
const recordset = (rows: readonly string[], columns: string): RawBuilder<unknown> =>
  raw`json_to_recordset(${`[${rows.join(',')}]`}::json) as r(${raw.raw(columns)})`;
