import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { kindBelow } from '../../../files/kind-below.ts'
import { readRegular } from '../../../files/read-regular.ts'
import { type Recipe, readDockerfile } from './dockerfile.ts'
import { type Installed, missingOf } from './machine.ts'
import { placesOf } from './task-places.ts'
import { readSettings, type TaskSettings } from './task-settings.ts'

const maxTextBytes = 1024 * 1024

/** A task in Harbor's layout that can be run here. */
export interface HarborTask {
  readonly directory: string
  readonly instruction: string
  readonly settings: TaskSettings
  readonly recipe: Recipe
  readonly workdir: string
  /** The directories that participants write to. */
  readonly directories: readonly string[]
  readonly hasSolution: boolean
  readonly notes: readonly string[]
}

/** Reads a task without running any of its code. `reasons`: why the task cannot be run here. */
export async function readTask(directory: string, installed: Installed): Promise<HarborTask | { readonly reasons: readonly string[] }> {
  const read = async (file: string): Promise<string | null> => {
    const found = await readRegular(path.join(directory, file), maxTextBytes)
    return found.ok ? found.bytes.toString('utf8') : null
  }
  const [toml, instruction, docker, test] = await Promise.all(
    ['task.toml', 'instruction.md', 'environment/Dockerfile', 'tests/test.sh'].map(read),
  )
  const names = await readdir(path.join(directory, 'environment')).catch(() => [])
  const absent = [
    toml === null ? 'task.toml is missing, or cannot be read' : null,
    (instruction ?? '').trim() === '' ? 'instruction.md is missing or empty' : null,
    docker === null ? 'environment/Dockerfile is missing' : null,
    test === null ? 'tests/test.sh is missing' : null,
    names.some((each) => /^(docker-)?compose\.ya?ml$/.test(each)) ? 'it needs several containers (compose)' : null,
  ].filter((each) => each !== null)
  // These directories are mounted into cells, so a link would mount its target.
  for (const each of ['environment', 'tests', 'solution'])
    if (kindBelow(directory, path.join(directory, each)) === 'link') absent.push(`${each} is a symbolic link`)
  const settings = readSettings(toml ?? '')
  const written = readDockerfile(docker ?? 'FROM debian')
  // The directory for test results always exists.
  const recipe = { ...written, steps: written.steps.filter(({ writes }) => !writes.every((each) => /^\/logs(\/|$)/.test(each))) }
  const reasons = [
    ...absent,
    ...('reasons' in settings && toml !== null ? settings.reasons : []),
    ...recipe.reasons,
    ...testReasons(test ?? ''),
  ]
  const { missing, notes } = missingOf({ ...recipe.packages, programs: [...recipe.packages.programs, 'bash'] }, installed)
  reasons.push(...missing.map((each) => `${each} is not on this machine`))
  if ('reasons' in settings) return { reasons }
  const workdir = settings.workdir ?? recipe.workdir ?? '/'
  const places = placesOf(workdir, [
    ...recipe.steps.flatMap(({ writes }) => writes),
    ...settings.artifacts.map((each) => path.posix.normalize(each)),
  ])
  if ('reason' in places) reasons.push(places.reason)
  if (reasons.length > 0 || 'reason' in places) return { reasons }
  return {
    directory,
    instruction: instruction ?? '',
    settings,
    recipe,
    workdir: path.posix.normalize(workdir),
    directories: places.directories,
    hasSolution: (await read('solution/solve.sh')) !== null,
    notes: [...settings.notes, ...notes],
  }
}

/** Returns reasons why tests cannot run. Checks have no network, so tests that fetch their programs fail. */
function testReasons(text: string): string[] {
  for (const [index, line] of text.split('\n').entries()) {
    const code = line.replace(/(^|\s)#.*$/, '')
    const fetches =
      /\b(?:uvx|uv (?:run|pip|venv|init|add|sync)|curl|wget|npm (?:ci|install)|npx|git clone|cargo|go get|apt-get (?:-\S+ )*install|apt (?:-\S+ )*install|pip3? install)\b/.exec(
        code,
      )
    if (fetches !== null) return [`tests/test.sh, line ${index + 1}: ${fetches[0]} needs a network, which checks do not have`]
  }
  return []
}
