import { Type } from 'typebox';
import { orNull } from '../../platform/http/api-components.ts';
import { snakeCase } from '../../platform/lib/snake-case.ts';
import { epochSeconds } from '../../platform/lib/time.ts';

/** Fields and pages shared by operators' endpoints. */

export const moment = (description: string) => orNull(Type.Integer(), `${description} Epoch seconds, or null.`);
export const maybeText = (description: string, maxLength?: number) =>
  orNull(Type.String(maxLength === undefined ? {} : { maxLength }), description);

export const KEY_MODES = ['live', 'sandbox'] as const;

/** Converts a row to a response with snake_case names and epoch seconds. Only for statements that select no secrets. */
export const showRow = <Row extends object>(row: Row) => snakeCase(row, epochSeconds);
