import type { Role } from '../../fleet/store/token-store.ts'

/** The access that a route requires: `public` for none, or any one of these roles. */
export type Need = 'public' | Role | readonly Role[]

/** The roles that a role includes. A borrower may only use routes that name this role. */
const included: Readonly<Record<Role, readonly Role[]>> = {
  owner: ['owner', 'operator', 'viewer'],
  operator: ['operator', 'viewer'],
  viewer: ['viewer'],
  borrower: ['borrower'],
}
export const roles = Object.keys(included) as [Role, ...Role[]]

/** Returns whether a role is sufficient for a route. */
export function mayUse(role: Role, need: Need): boolean {
  if (need === 'public') return true
  const wanted = typeof need === 'string' ? [need] : need
  return included[role].some((each) => wanted.includes(each))
}

/** Returns whether a value is a valid access declaration for a route. */
export function isNeed(value: unknown): value is Need {
  if (value === 'public') return true
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.length > 0 && list.every((each) => typeof each === 'string' && Object.hasOwn(included, each))
}
