import path from 'node:path'
import type { AgentAdapter, AgentCommand, AgentWishes, CredentialUse, LoginFacts, PlaceholderMaker } from '../../../src/adapters/adapter.ts'
import { rootOf } from '../../../src/adapters/base-url.ts'
import { commandParser } from '../../../src/adapters/command/output.ts'
import { allowHosts } from '../../../src/adapters/hosts.ts'
import { locateProgram } from '../../../src/adapters/locate.ts'
import { as, inert } from '../../../src/cell/plan/protected/row-kinds.ts'

/** The adapter of a scripted CLI that is not part of Paddock. Cells run `program.mjs` in this directory. */
export const sixth: AgentAdapter = {
  name: 'sixth',
  family: 'various',
  tried: true,
  reports: 'tokens',
  program: 'sixth',
  installHint: 'copy program.mjs into PATH',
  hosts: allowHosts('sixth', ['api.sixth.example']),
  stateDirectory: '.sixth',
  credentials: (home) => [{ kind: 'snapshot', hostPath: path.join(home, '.sixth/login.json'), homePath: '.sixth/login.json' }],
  placeholders: { keys: {}, stored },
  runLater: [inert('sixth obeys its settings', '.sixth/'), as('inert', { inert: '# nothing\n' })('sixth runs it', 'sixth.conf')],
  instructionFiles: { names: ['SIXTH.md'] },
  loginFormat: async () => (await import('./login.ts')).sixthLogin,
  headless: command,
  interactive: command,
  locate: (search) => locateProgram('sixth', search),
  parser: async () => commandParser(),
}

const api: CredentialUse = {
  hosts: [{ host: 'api.sixth.example', paths: ['/v1/**'] }],
  places: [{ kind: 'header', name: 'authorization', scheme: 'Bearer' }],
}

function stored<Login extends LoginFacts>(logins: readonly Login[], make: PlaceholderMaker) {
  const placeholders = logins.map((login) => ({ login, use: api, access: make.word('sixth-') }))
  return {
    files: placeholders.map(({ access }) => ({ path: '.sixth/login.json', content: JSON.stringify({ token: access }) })),
    placeholders,
  }
}

function command({ args, baseUrl }: AgentWishes, { program }: { readonly program: string }): AgentCommand {
  return { argv: [program, ...args], env: baseUrl === null ? {} : { SIXTH_BASE_URL: rootOf(baseUrl) }, homeFiles: [] }
}
