import type { RepositoryWish } from '../../egress/forge/repository.ts'

/**
 * Returns the git configuration that a cell needs for a forge (git-config(1), gitcredentials(7)). SSH addresses become HTTPS ones, and only
 * the named repositories have a placeholder. The placeholder is in the helper itself, because agents hide variables that look like secrets
 * from the programs that they start.
 * @param login the user and placeholder, of plain characters (`isPlainUser`); null: no placeholder.
 */
export function cellGitConfig(
  host: string,
  wishes: readonly RepositoryWish[],
  login: { readonly user: string; readonly password: string } | null,
): string {
  const rewritten = ['git@', 'ssh://git@', 'ssh://'].map((each, at) => `\tinsteadOf = ${each}${host}${at === 0 ? ':' : '/'}`)
  const lines = [`[url "https://${host}/"]`, ...rewritten, `\tinsteadOf = ssh://git@${host}:22/`]
  if (login !== null) {
    if (!isPlainUser(login.user + login.password)) throw new Error('the placeholder has characters that a shell would interpret')
    const helper = `"!f() { test \\"$1\\" = get && echo username=${login.user} && echo password=${login.password}; }; f"`
    // With this, programs that ask for a whole host, such as git-lfs, name the repository too.
    lines.push(`[credential "https://${host}"]`, '\tuseHttpPath = true')
    for (const place of new Set(wishes.flatMap(placesOf))) lines.push(`[credential "https://${host}${place}"]`, `\thelper = ${helper}`)
  }
  return lines.map((each) => `${each}\n`).join('')
}

/** Returns true for a text in which a shell and git's configuration interpret nothing. */
export function isPlainUser(text: string): boolean {
  return /^[\w.+@-]+$/.test(text)
}

/** Returns path prefixes, which git matches by whole segments. */
function placesOf({ path }: RepositoryWish): readonly string[] {
  if (path === null) return ['']
  const all = path.at(-1) === '*'
  const plain = `/${(all ? path.slice(0, -1) : path).join('/')}`
  return all ? [plain] : [plain, `${plain}.git`]
}
