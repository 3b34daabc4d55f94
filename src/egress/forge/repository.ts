import { PaddockError } from '../../base/errors.ts'
import { isWildcard, parseHostPattern } from '../policy/host-pattern.ts'

/** A cell's access to repositories, with the user's own token. */
export interface RepositoryWish {
  /** An exact host name. */
  readonly host: string
  /**
   * Owner and name, or groups and name. The name `*` means all names of an owner. Null: everything on this host the token has access to.
   */
  readonly path: readonly string[] | null
  readonly access: 'read' | 'write'
}

const segment = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,100}$/
const example = 'Write github.com/owner/name, or github.com/owner/name=write'

/**
 * Parses `HOST/OWNER/NAME[=read|write]`, `HOST/OWNER/*` or `HOST`, optionally with `https://` in front and `.git` at the end.
 * @throws PaddockError BAD_INPUT with `place`, the error and a valid form
 */
export function parseRepository(text: string, place = '--repo'): RepositoryWish {
  const [where = '', access = 'read', ...more] = text.split('=')
  if (more.length > 0 || (access !== 'read' && access !== 'write'))
    throw bad(place, `${JSON.stringify(text)} has neither read nor write after =`, example)
  const [name = '', ...path] = where
    .replace(/^https:\/\//, '')
    .replace(/\/$/, '')
    .split('/')
  if (/[@:]/.test(where.replace(/^https:\/\//, '')))
    throw bad(place, `${JSON.stringify(text)} is not a repository`, `${example}; without git@ and ports`)
  const host = parseHostPattern(name, place)
  if (isWildcard(host)) throw bad(place, `${host} stands for many hosts`, 'Name one host, because a token is for one host')
  if (path.length === 0) return { host, path: null, access }
  const last = path.at(-1) ?? ''
  const segments = [...path.slice(0, -1), last === '*' ? last : last.replace(/\.git$/, '')]
  if (path.length < 2 || path.length > 20 || !segments.every((each, at) => segment.test(each) || (each === '*' && at === path.length - 1)))
    throw bad(
      place,
      `${JSON.stringify(text)} is not a repository`,
      `${example}; github.com/owner/* is all of an owner, github.com all of the host`,
    )
  return { host, path: segments, access }
}

function bad(place: string, what: string, hint: string): PaddockError {
  return new PaddockError('BAD_INPUT', `${place}: ${what}.`, { hint })
}
