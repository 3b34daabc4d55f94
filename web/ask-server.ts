import { dataOf, useData } from './data.ts'
import { api } from './page-session.ts'

/** Loads the facts about the server. */
export const useServer = () => useData(['server'], async () => dataOf(await api.GET('/api/v1/server')))
