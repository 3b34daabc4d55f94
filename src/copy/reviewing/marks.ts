import path from 'node:path'
import { skeleton } from '../../base/text.ts'
import { keptLinks } from '../../cell/plan/machine-facts.ts'
import { inspectProject } from '../../cell/plan/project-facts.ts'
import type { RunLaterRules } from '../../cell/plan/protected/run-later.ts'
import type { GitUser } from '../../git/git-settings.ts'
import { isAtOrBelow, isGitName, parentsOf } from '../copy-names.ts'
import { projectSettings } from '../git-config.ts'
import { gitPrograms } from './git-programs.ts'
import { type LinkAt, linkEnd, linksIn } from './link-end.ts'

/** Checks that return why a path would run or be obeyed on the host later; null: it would not. Paths are relative to the project. */
export interface Marks {
  /** Checks the name only. */
  path(file: string): string | null
  /** Checks a link by its target: taken literally, through the links of the project, and through those of the copy. */
  link(file: string, target: string, inCopy?: LinkAt): string | null
}

const noLink: LinkAt = () => null

/**
 * Returns checks for paths that run later in this project: files that are read-only in a cell, at any depth, files that its git
 * configuration names (hooks, included files, programs), files that a tool runs on request, and names that look like any of these.
 */
export function marksOf(project: string, user: GitUser, rules: RunLaterRules): Marks {
  const lookAlike = lookAlikes(rules)
  const named = new Set(protectedIn(project, user, rules))
  const programs = new Map<string, string>()
  for (const { path: file, key } of gitPrograms(project, projectSettings(project, user))) {
    if (key === 'core.hookspath') named.add(file)
    else programs.set(file, key)
  }
  const onDisk = linksIn(project)
  // If an obeyed name is a link in the project, its target is obeyed as well.
  for (const each of [...named, ...programs.keys()]) {
    const target = onDisk(each)
    const end = target === null ? null : linkEnd(each, target, onDisk)
    if (end !== null && end !== '') named.add(end)
  }
  const byPath = (file: string): string | null => {
    const parts = file.split('/')
    if (parts.some(isGitName)) return 'git obeys it'
    for (const each of [...parentsOf(file).reverse(), file]) {
      const rule = rules.protectedAt(each)
      if (rule !== null) return rule.why
    }
    if (isAtOrBelow(file, named)) return 'the configuration of git names it'
    const key = programs.get(file)
    if (key !== undefined) return `the configuration of git runs it (${key})`
    return rules.namedAt(file)?.why ?? lookAlike(file)
  }
  const byLink = (file: string, target: string, inCopy: LinkAt = noLink): string | null => {
    if (rules.isAboveLater(file)) return 'files that run later could be behind it'
    for (const linkAt of [noLink, onDisk, (at: string) => inCopy(at) ?? onDisk(at)]) {
      const end = linkEnd(file, target, linkAt)
      if (end === null) return 'it is a link that leads out of the project'
      if (end.split('/').some(isGitName)) return 'it is a link into .git'
      const why = end === '' ? null : byPath(end)
      if (why !== null) return `it is a link to ${end}: ${why}`
    }
    return null
  }
  return { path: byPath, link: byLink }
}

/**
 * Returns a check for names that differ from one that runs later only by invisible characters, case or width. It returns null for others.
 */
function lookAlikes({ protectedWhere, namedWhere }: RunLaterRules): (file: string) => string | null {
  const [protectedFolded, namedFolded] = [protectedWhere(skeleton), namedWhere(skeleton)]
  return (file) => {
    const folded = skeleton(file)
    for (const each of [...parentsOf(folded).reverse(), folded]) {
      const base = path.posix.basename(each)
      const like = base === '.git' ? base : protectedFolded(each)?.path
      if (like !== undefined) return `its name looks like ${like}`
    }
    const rule = namedFolded(folded)
    return rule === null ? null : `its name looks like one that runs later: ${rule.why}`
  }
}

function protectedIn(project: string, user: GitUser, rules: RunLaterRules): readonly string[] {
  const found = inspectProject(project, rules, new Set(), user, { isReview: true })
  return [...found.present, ...(found.laundered ?? []), ...found.absent.map((each) => each.path), ...found.links, ...keptLinks(found)]
    .map((each) => path.relative(project, each))
    .filter((each) => each !== '' && !each.startsWith('..'))
}
