import { dataOf, useData } from './data.ts'
import { api } from './page-session.ts'

const roles = ['viewer', 'operator', 'owner'] as const
export type Role = (typeof roles)[number]

export function useWhoLoaded() {
  return useData(['session'], async () => dataOf(await api.GET('/api/v1/session')))
}

/** Returns the signed-in user; null if the user is not known yet. */
export function useWho() {
  return useWhoLoaded().data
}

/** Returns whether the user has at least this role. Actions that require a higher role are not offered. */
export function useMay(role: Role): boolean {
  const own = useWho()?.role
  return own !== undefined && roles.indexOf(own as Role) >= roles.indexOf(role)
}
