import path from 'node:path'
import { lstatOrNull } from '../files/tree-names.ts'

/** Directories that package managers fill and that repositories usually ignore. */
const dependencies = ['node_modules', '.venv', 'venv', 'vendor', '.bundle', '__pypackages__', '.tox'] as const

/** Returns directories of dependencies that a project has and its copy does not, by path relative to the project. `cwd`: the cell's directory in the project. */
export function leftBehind(project: string, tree: string, cwd: string): readonly string[] {
  const within = path.relative(project, cwd)
  const parts = within === '' || within.startsWith('..') ? [] : within.split(path.sep)
  // Programs look for dependencies in all parents.
  const directories = ['', ...parts.map((_, at) => path.join(...parts.slice(0, at + 1)))]
  return directories
    .flatMap((directory) => dependencies.map((name) => path.join(directory, name)))
    .filter((each) => lstatOrNull(path.join(project, each)) !== null && lstatOrNull(path.join(tree, each)) === null)
}
