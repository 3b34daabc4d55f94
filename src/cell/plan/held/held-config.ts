import type { SyntheticFile } from '../spec.ts'
import type { HeldRepository } from './held-repository.ts'

/**
 * The program that merges held paths. It does not exist, so git stops before it changes anything, and its error message contains this name.
 */
const driver = '/etc/paddock/protected-files-are-merged-outside-the-cell'

/** The content of the lock that keeps git in a cell from changing the patterns of a sparse checkout. */
export const sparseLock = 'A cell of Paddock holds protected paths by these patterns.\n'

/** Returns the patterns of a sparse checkout that exclude the held paths (git-sparse-checkout(1), the patterns without cones). */
export function sparsePatterns({ paths, modified, skipped, ownPatterns }: HeldRepository): string {
  const lines = [
    ...paths.map((each) => `!${anchored(each)}`),
    ...modified.map(anchored),
    // Without this, git would check out files that the user hides from it.
    ...skipped.map((each) => `!${anchored(each)}`),
  ]
  return `${ownPatterns === null ? '/*\n' : ownPatterns.replace(/\n*$/, '\n')}${lines.join('\n')}\n`
}

/**
 * Settings that take precedence over those of a user's own sparse checkout. Its patterns for cones are valid as ordinary patterns too
 * (git-sparse-checkout(1)), and the held paths cannot be expressed as cones.
 */
export const overSparseCheckout = [
  ['core.sparsecheckoutcone', 'false'],
  ['index.sparse', 'false'],
  ['sparse.expectfilesoutsideofpatterns', 'true'],
] as const

/**
 * Returns the git configuration that keeps git from touching held paths, in files of the cell. `system`: the lines for the system-wide
 * configuration. They count only in these repositories. `gitPath`: the path in the cell of a git directory. `attributes`: the text of the
 * file of attributes that applies to all repositories. `hasOtherOwner`: true if files have another owner in the cell than on the host, so that
 * git would take every file for a changed one, and check it out again.
 */
export function heldConfig(
  repositories: readonly HeldRepository[],
  gitPath: (git: string) => string,
  attributes: string,
  hasOtherOwner: boolean,
): { readonly system: string; readonly files: readonly SyntheticFile[] } {
  const files: SyntheticFile[] = []
  let system = ''
  for (const [at, each] of repositories.entries()) {
    const place = `/etc/paddock/held/${at}`
    files.push({ target: `${place}.attributes`, content: attributes + attributesOf(each) })
    files.push({
      target: `${place}.gitconfig`,
      content: [
        '[core]',
        '\tsparseCheckout = true',
        '\tsparseCheckoutCone = false',
        `\tattributesFile = ${place}.attributes`,
        ...(hasOtherOwner ? ['\tcheckStat = minimal'] : []),
        '[index]',
        '\tsparse = false',
        '[sparse]',
        '\texpectFilesOutsideOfPatterns = true',
        '[advice]',
        '\tupdateSparsePath = false',
        '[merge "paddock-held"]',
        '\tname = merged outside the cell',
        `\tdriver = ${driver}`,
        '',
      ].join('\n'),
    })
    system += includeFor(gitPath(each.git), `${place}.gitconfig`)
  }
  return { system, files }
}

/** Returns the lines that include a configuration file only in the repository with this git directory (git-config(1), Conditional includes). */
export function includeFor(git: string, file: string): string {
  return `[includeIf "gitdir:${quoted(literal(git))}"]\n\tpath = ${file}\n`
}

function attributesOf({ paths }: HeldRepository): string {
  return paths.map((each) => `${quotedPattern(`/${literal(each)}${each.endsWith('/') ? '**' : ''}`)} merge=paddock-held\n`).join('')
}

/** Returns a pattern that matches exactly this path (gitignore(5)). */
export function anchored(file: string): string {
  return `/${literal(file).replace(/ +$/, (each) => each.replaceAll(' ', '\\ '))}`
}

/** Returns text as a pattern of wildmatch that matches only the text. */
function literal(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&')
}

/** Escapes text for a subsection of a git configuration. */
function quoted(text: string): string {
  return text.replace(/[\\"]/g, '\\$&')
}

/** Quotes a pattern of gitattributes(5) like a C string if it contains blanks or quotes. */
function quotedPattern(pattern: string): string {
  return /[\s"]/.test(pattern) ? `"${pattern.replace(/[\\"]/g, '\\$&').replaceAll('\t', '\\t')}"` : pattern
}
