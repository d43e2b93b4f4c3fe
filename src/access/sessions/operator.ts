import { Refusal } from '../../platform/http/refusal.ts';

/** Roles of operators; each includes the permissions of those before it. */
export const OPERATOR_ROLES = ['viewer', 'support', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** A person who runs the service. Email in lower case; phone in E.164. */
export type Operator = {
  operatorId: string;
  name: string;
  email: string | null;
  phone: string | null;
  role: OperatorRole;
  createdAt: Temporal.Instant;
  disabledAt: Temporal.Instant | null;
};

/** Whether a role may do what `required` may. */
export function hasRole(role: OperatorRole, required: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(required);
}

/** Refuses an operator below a role with role_not_allowed. Without `required`, any role suffices. */
export function requireRole({ role }: { role: OperatorRole | null }, required: OperatorRole = 'viewer'): void {
  if (role !== null && hasRole(role, required)) return;
  throw new Refusal('role_not_allowed', `This requires the role ${required}. Yours is ${role}. Contact an admin.`);
}
