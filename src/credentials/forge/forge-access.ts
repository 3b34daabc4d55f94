import type { Forge } from '../../egress/forge/forge.ts'
import { basicUser, forgeKind, tokenVariables } from '../../egress/forge/kind.ts'
import type { RepositoryWish } from '../../egress/forge/repository.ts'
import type { CellCredential } from '../../egress/placeholder/credential.ts'
import { placeholderFor } from '../../egress/placeholder/placeholder.ts'
import type { ConfigLogin } from '../../git/config-logins.ts'
import { Secret } from '../../secrets/secret.ts'
import type { HostLogin } from '../agent-login.ts'
import type { HostLogins } from '../stored-logins.ts'
import { tokenOf } from '../token-text.ts'
import { cellGitConfig, isPlainUser } from './cell-git-config.ts'

type GhLogins = Pick<HostLogins, 'read' | 'access' | 'rejected'>

export interface ForgeWishes {
  readonly repositories: readonly RepositoryWish[]
  /** Variables that the user gave to the cell, with their values. */
  readonly env: Readonly<Record<string, string>>
  /** False: the logins on this machine, of `gh` and of the project's remotes, are not used. */
  readonly login: boolean
  /** The logins in the git configuration of the project. */
  readonly remotes: readonly ConfigLogin[]
}

/** The part of forge access that cells with the same settings share: the hosts, and the sources of tokens. */
export interface Forges {
  readonly forges: readonly Forge[]
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[]
  /** Makes new placeholders for a cell, with the variables and configuration that pass them to it. */
  forCell(): ForgeAccess
}

/** The settings of a cell in which git and the forges' own programs work. */
export interface ForgeAccess {
  /** Variables that override the user's, so that no variable from which a forge's token is read keeps the real one. */
  readonly env: Readonly<Record<string, string>>
  readonly credentials: readonly CellCredential[]
  /** An addition to the cell's own git configuration. Empty if no repository was named. */
  readonly gitConfig: string
}

interface Token {
  readonly name: string
  /** The name in Basic authentication; null: the usual one for a token. */
  readonly user: string | null
  readonly text: () => string
  readonly credential: Pick<CellCredential, 'secret' | 'rejected'>
}

/**
 * Finds the hosts of the named repositories and their tokens, from a named variable, or else from `gh`'s login there, or else from
 * the project's remotes.
 * Rejects with a PaddockError if gh has a login that cannot be read.
 */
export async function openForges({ repositories, env, login, remotes }: ForgeWishes, logins: GhLogins): Promise<Forges> {
  if (repositories.length === 0) return { forges: [], notes: [], forCell: () => ({ env: {}, credentials: [], gitConfig: '' }) }
  const { forgeOf } = await import('../../egress/forge/forge.ts')
  const named = [...new Set(repositories.map((each) => each.host))]
  const stored = login ? await logins.read('gh') : []
  const hosts = stored.map((each) => String(each.facts['host']))
  const found = named.map((host) => {
    const wishes = repositories.filter((each) => each.host === host)
    const forge = forgeOf(host, forgeKind(host, hosts), wishes)
    return {
      forge,
      wishes,
      token: fromVariable(forge, env) ?? fromGh(forge, stored, logins) ?? (login ? fromRemote(forge, remotes) : null),
    }
  })
  const enterprise = named.length === 1 && found[0]?.forge.kind === 'github-enterprise' ? { GH_HOST: named[0] ?? '' } : {}
  return {
    forges: found.map(({ forge }) => forge),
    notes: found.flatMap(({ forge, token }) => (token === null ? [withoutToken(forge)] : [])),
    forCell() {
      const given: Record<string, string> = { ...enterprise }
      const credentials: CellCredential[] = []
      let gitConfig = ''
      for (const { forge, wishes, token } of found) {
        const placeholder = token === null ? null : placeholderFor(token.text())
        const user = token?.user ?? basicUser(forge.kind)
        gitConfig += cellGitConfig(forge.host, wishes, placeholder === null ? null : { user, password: placeholder })
        if (token === null || placeholder === null) continue
        const [first, ...others] = tokenVariables[forge.kind]
        if (first !== undefined) given[first] = placeholder
        for (const each of others) if (Object.hasOwn(env, each)) given[each] = placeholder
        credentials.push({
          name: token.name,
          hosts: forge.uses,
          places: forge.places,
          droppedElsewhere: true,
          placeholders: () => [placeholder],
          ...token.credential,
        })
      }
      return { env: given, credentials, gitConfig }
    },
  }
}

function fromVariable({ kind }: Forge, env: ForgeWishes['env']): Token | null {
  const name = tokenVariables[kind].find((each) => (env[each] ?? '') !== '')
  if (name === undefined) return null
  const secret = Secret.fromText(name, env[name] ?? '')
  return { name, user: null, text: () => secret.text(), credential: { secret: async () => secret } }
}

function fromGh({ host }: Forge, stored: readonly HostLogin[], logins: GhLogins): Token | null {
  const here = stored.filter(({ facts }) => facts['host'] === host)
  const login = here.find(({ facts }) => facts['active'] === true) ?? here[0]
  if (login === undefined) return null
  return {
    name: `gh login (${host})`,
    user: null,
    text: () => login.access.text(),
    credential: {
      secret: (signal) => logins.access(login, signal),
      rejected: (secret) => logins.rejected(login, secret),
    },
  }
}

function fromRemote({ host }: Forge, remotes: readonly ConfigLogin[]): Token | null {
  const login = remotes.find((each) => each.host === host) ?? remotes.find((each) => each.host === null)
  const secret = login === undefined ? null : tokenOf(`login of the remote (${host})`, login.password)
  if (login === undefined || secret === null) return null
  const user = isPlainUser(login.user) ? login.user : null
  return { name: secret.name, user, text: () => secret.text(), credential: { secret: async () => secret } }
}

function withoutToken({ host, kind }: Forge): string {
  const [variable] = tokenVariables[kind]
  const ways =
    kind === 'gitlab'
      ? `name one with --env ${variable}`
      : kind === 'git'
        ? `log in with: gh auth login --hostname ${host} (if it is a GitHub Enterprise Server)`
        : `log in with: gh auth login --hostname ${host}, or name one with --env ${variable}`
  return `there is no token for ${host}, so the cell uses it anonymously; ${ways}.`
}
