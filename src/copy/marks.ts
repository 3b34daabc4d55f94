import path from 'node:path'
import { inspectProject } from '../cell/project-facts.ts'
import { runLater, whyRunsLater } from '../cell/run-later.ts'
import { isAtOrBelow, isGitName, parentsOf } from './names.ts'

/** Says why a path (relative to the project) would run or be obeyed on the host later; null: it would not, by its name. */
export type Marks = (path: string) => string | null

const anywhere = new Map(runLater.filter((each) => each.anyDepth).map((each) => [each.path, each.why]))
const atRoot = new Map(runLater.map((each) => [each.path, each.why]))

/**
 * What runs later in this project: the files that are read-only in a cell, at any depth, those that its own git
 * configuration names (core.hooksPath, included files), and those that a tool runs when it is asked.
 */
export function marksOf(project: string, userGitConfigs: readonly string[]): Marks {
  const named = new Set(protectedIn(project, userGitConfigs))
  return (file) => {
    const parts = file.split('/')
    if (parts.some(isGitName)) return 'git obeys it'
    for (const each of [...parentsOf(file).reverse(), file]) {
      const why = atRoot.get(each) ?? anywhere.get(path.posix.basename(each))
      if (why !== undefined) return why
    }
    if (isAtOrBelow(file, named)) return 'the configuration of git names it'
    if (parts.at(-1) === '.gitattributes') return 'git chooses filters and merge drivers by it'
    return whyRunsLater(file)
  }
}

function protectedIn(project: string, userGitConfigs: readonly string[]): readonly string[] {
  const found = inspectProject(project, new Set(), userGitConfigs)
  return [...found.present, ...found.absent.map((each) => each.path), ...found.links]
    .map((each) => path.relative(project, each))
    .filter((each) => each !== '' && !each.startsWith('..'))
}
