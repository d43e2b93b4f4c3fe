import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Button, type ButtonProps } from '../button.tsx';
import type { Me } from './api.ts';

export type Role = Me['role'];
const ROLES: readonly Role[] = ['viewer', 'support', 'admin'];

/** The role of the operator who is signed in. The service enforces roles; the view only hides actions. */
export const RoleContext = createContext<Role>('viewer');

/** Whether the operator has at least this role. */
export const useRole = (required: Role): boolean => ROLES.indexOf(useContext(RoleContext)) >= ROLES.indexOf(required);

/** Shows its children to operators of at least this role. */
export function Only({ to, children }: { to: Role; children: ComponentChildren }) {
  return useRole(to) ? children : null;
}

/** A button for operators of at least this role. */
export function RoleButton({ to, ...button }: ButtonProps & { to: Role }) {
  return (
    <Only to={to}>
      <Button {...button} />
    </Only>
  );
}
