import { readdirSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { kindBelow } from '../../../files/kind-below.ts'
import { readRegular, readRegularSync } from '../../../files/read-regular.ts'
import { type Recipe, readDockerfile, type Written } from './dockerfile.ts'
import { type Installed, missingOf } from './machine.ts'
import { pathsOutside } from './named-paths.ts'
import type { OfflinePrograms } from './offline-programs.ts'
import { scriptNeeds } from './script-needs.ts'
import { hasEffect, placesOf } from './task-places.ts'
import { readSettings, type TaskSettings } from './task-settings.ts'

const maxTextBytes = 1024 * 1024
/** The most files in tests/ that are read. */
const mostFiles = 100
const mostTestText = 4 * 1024 * 1024

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
  /** The programs for the cells of its check and of its solution. */
  readonly programs: { readonly check: OfflinePrograms; readonly solution: OfflinePrograms }
  readonly notes: readonly string[]
}

/** What this machine has for tasks. */
export interface Here {
  readonly installed: Installed
  /** The home directory in cells. */
  readonly home: string
}

/** Reads a task without running any of its code. `reasons`: why the task cannot be run here. */
export async function readTask(
  directory: string,
  { installed, home }: Here,
): Promise<HarborTask | { readonly reasons: readonly string[] }> {
  const read = async (file: string): Promise<string | null> => {
    const found = await readRegular(path.join(directory, file), maxTextBytes)
    return found.ok ? found.bytes.toString('utf8') : null
  }
  const [toml, instruction, docker, test, solve] = await Promise.all([
    read('task.toml'),
    read('instruction.md'),
    read('environment/Dockerfile'),
    read('tests/test.sh'),
    read('solution/solve.sh'),
  ])
  const names = await readdir(path.join(directory, 'environment')).catch(() => [])
  // These directories are mounted into cells, so a link would mount its target.
  const links = ['environment', 'tests', 'solution'].filter((each) => kindBelow(directory, path.join(directory, each)) === 'link')
  if (links.length > 0) return { reasons: links.map((each) => `${each} is a symbolic link`) }
  const reasons = [
    toml === null ? 'task.toml is missing, or cannot be read' : null,
    (instruction ?? '').trim() === '' ? 'instruction.md is missing or empty' : null,
    docker === null ? 'environment/Dockerfile is missing' : null,
    test === null ? 'tests/test.sh is missing' : null,
    names.some((each) => /^(docker-)?compose\.ya?ml$/.test(each)) ? 'it needs several containers (compose)' : null,
  ].filter((each) => each !== null)
  const settings = toml === null ? { reasons: [] } : readSettings(toml)
  if ('reasons' in settings) reasons.push(...settings.reasons)
  const context = path.join(directory, 'environment')
  const recipe = readDockerfile(docker ?? 'FROM debian', (file) => kindBelow(context, path.join(context, file)) === 'directory')
  const ofTests = (file: string): string | null =>
    textBelow(path.join(directory, 'tests'), path.posix.relative('/tests', path.posix.resolve('/tests', file)))
  const needs = scriptNeeds('tests/test.sh', test ?? '', ofTests)
  reasons.push(...recipe.reasons, ...needs.reasons)
  const testTexts = once(() => textsBelow(path.join(directory, 'tests')))
  if (test !== null && !/reward/i.test(test) && !testTexts().some((each) => /reward\.(?:txt|json)|\/logs\/verifier/.test(each)))
    reasons.push('its tests write no reward: no file in tests/ names reward.txt or reward.json')
  const ownReport = hasOwnReport(needs.pip, installed)
  const found = missingOf(
    {
      apt: [...recipe.packages.apt, ...needs.apt],
      pip: [...recipe.packages.pip, ...needs.pip],
      programs: [...recipe.packages.programs, 'bash'],
      aliases: recipe.aliases,
      pythons: [...recipe.pythons, ...needs.pythons],
      given: [...needs.fetching, ...(ownReport ? ['pytest-json-ctrf'] : [])],
    },
    installed,
  )
  reasons.push(...found.missing.map((each) => `cells here do not have ${each}`))
  if ('reasons' in settings || docker === null) return { reasons: [...new Set(reasons)] }
  // The image may have a working directory if its contents are not known.
  const named = settings.workdir ?? recipe.workdir ?? (recipe.reasons.length > 0 ? null : '/')
  const workdir = named === null ? null : path.posix.normalize(named)
  const exists = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
  const writes = recipe.steps.flatMap((each) => each.writes)
  const artifacts = settings.artifacts.map(
    (each): Written => ({ path: path.posix.normalize(each), kind: path.posix.extname(each) === '' ? 'directory' : 'file' }),
  )
  let places = placesOf({ workdir, writes, named: artifacts }, home, exists)
  if ('directories' in places) {
    const outside = pathsOutside(instruction ?? '', places.directories)
    const texts = outside.length === 0 || test === null ? [] : [test, ...testTexts()]
    const expected = outside.filter((each) => texts.some((text) => text.includes(each.path)))
    if (expected.length > 0) places = placesOf({ workdir, writes, named: [...artifacts, ...expected] }, home, exists)
  }
  if ('reasons' in places) reasons.push(...places.reasons)
  if (reasons.length > 0 || 'reasons' in places || workdir === null) return { reasons: [...new Set(reasons)] }
  const { directories } = places
  const ofSolution = scriptNeeds('solution/solve.sh', solve ?? '', () => null)
  const programs = (fetching: readonly string[], hasReport: boolean): OfflinePrograms => ({
    fetching,
    aliases: found.aliases,
    hasReport,
  })
  return {
    directory,
    instruction: instruction ?? '',
    settings,
    recipe: { ...recipe, steps: recipe.steps.filter((each) => hasEffect({ directories, cwd: workdir }, each)) },
    workdir,
    directories,
    hasSolution: solve !== null,
    programs: { check: programs(needs.fetching, ownReport), solution: programs(ofSolution.fetching, false) },
    notes: [
      ...settings.notes,
      ...recipe.notes,
      ...found.notes,
      ...(ownReport ? ["cells here do not have pytest-json-ctrf, so Paddock writes the report of pytest's --ctrf"] : []),
      ...['/tmp', '/var/tmp']
        .filter((each) => directories.includes(each))
        .map((each) => `all files that participants leave in ${each} are in their submissions`),
    ],
  }
}

function hasOwnReport(pip: readonly string[], { python }: Installed): boolean {
  return !python.has('pytest-json-ctrf') && pip.some((each) => /^pytest[-_.]json[-_.]ctrf\b/i.test(each))
}

function textBelow(root: string, file: string): string | null {
  if (kindBelow(root, path.join(root, file)) !== 'file') return null
  return readRegularSync(path.join(root, file), maxTextBytes)
}

/** Returns the texts of the files in a directory and its subdirectories, up to a size. */
function textsBelow(root: string): string[] {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  const texts: string[] = []
  let size = 0
  for (const each of files.slice(0, mostFiles)) {
    const text = textBelow(root, path.relative(root, path.join(each.parentPath, each.name))) ?? ''
    size += text.length
    if (size > mostTestText) break
    texts.push(text)
  }
  return texts
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
