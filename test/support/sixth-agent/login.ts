import path from 'node:path'
import type { LoginFormat } from '../../../src/credentials/format.ts'
import { badDocument, readDocument } from '../../../src/credentials/login-document.ts'
import { tokenOf } from '../../../src/credentials/token-text.ts'

/** The `login.json` of sixth, with a key under the name `token`. */
export const sixthLogin: LoginFormat = {
  agent: 'sixth',
  command: 'sixth login',
  async read({ home }) {
    const file = path.join(home, '.sixth/login.json')
    const found = await readDocument(file, sixthLogin)
    if (found === null) return []
    const access = tokenOf('sixth token', found.value['token'])
    if (access === null) throw badDocument(file, 'is not as sixth writes it', sixthLogin)
    const source = { kind: 'file', path: found.file } as const
    const about = { agent: 'sixth', format: sixthLogin, provider: null, kind: 'key', source, account: null } as const
    return [{ ...about, expiresAt: null, access, refresh: null, facts: {}, warnings: found.warnings }]
  },
  files: { file: '.sixth/login.json' },
}
