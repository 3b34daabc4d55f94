import { isUtf8 } from 'node:buffer'
import { PaddockError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'
import { firstLines } from '../base/text.ts'
import { type Problem, problemAt, problemsOf } from './config-problems.ts'
import { type Config, projectSchema, renamedKeys, userSchema } from './config-schema.ts'
import type { KeyPath } from './key-path.ts'
import { readYaml } from './yaml.ts'

export const mostConfigBytes = 256 * 1024

/** Valid names that the schema does not know. */
export interface Known {
  readonly agents: readonly string[]
  readonly presets: readonly string[]
}

/** A configuration file after parsing. */
export interface ConfigFile {
  readonly file: string
  readonly which: 'user' | 'project'
  readonly config: Config
  /** Returns the line of a key, counted from 1. */
  lineOf(key: KeyPath): number
}

/**
 * Parses the text of a configuration file.
 * @throws PaddockError `BAD_INPUT` with FILE:LINE, the key, the mistake and the correct form for each problem
 */
export function parseConfig(bytes: Buffer, file: string, which: 'user' | 'project', known: Known): ConfigFile {
  if (!isUtf8(bytes)) throw new PaddockError('BAD_INPUT', `${file} is not UTF-8 text.`, { hint: 'Save it as UTF-8' })
  const read = readYaml(bytes.toString('utf8'))
  if ('problems' in read) throw bad(file, read.problems)
  const { source } = read
  // A file that is empty, or contains only comments, configures nothing.
  const data = read.data ?? { schemaVersion: 1 }
  const schema = which === 'user' ? userSchema : projectSchema
  const parsed = schema.safeParse(data)
  if (!parsed.success)
    throw bad(
      file,
      problemsOf(parsed.error, schema, data, source, { what: which === 'user' ? 'the configuration' : 'a project', renamed: renamedKeys }),
    )
  const config: Config = parsed.data
  const problems = unknownNames(config, known).map((each) => problemAt(each.path, each.message, source))
  if (problems.length > 0) throw bad(file, problems)
  return { file, which, config, lineOf: (key) => problemAt(key, '', source).line }
}

function unknownNames(config: Config, known: Known): { path: KeyPath; message: string }[] {
  const suggestion = (word: string, names: readonly string[]): string => {
    const near = nearest(word, names)
    return near === null ? `known are ${names.join(', ')}` : `did you mean ${near}?`
  }
  const problems: { path: KeyPath; message: string }[] = []
  for (const each of Object.keys(config.agents ?? {}))
    if (!known.agents.includes(each))
      problems.push({ path: ['agents', each], message: `is not an agent; ${suggestion(each, known.agents)}` })
  for (const group of ['run', 'setup'] as const)
    for (const [index, each] of (config[group]?.egress?.presets ?? []).entries())
      if (!known.presets.includes(each))
        problems.push({
          path: [group, 'egress', 'presets', index],
          message: `names no preset (${each}); ${suggestion(each, known.presets)}`,
        })
  return problems
}

function bad(file: string, problems: readonly Problem[]): PaddockError {
  const shown = problems.map((each) => `${file}:${each.line}: ${each.key === '' ? '' : `${each.key} `}${each.message}`)
  return new PaddockError('BAD_INPUT', firstLines(shown, 20).join('\n'), { hint: 'Run: paddock config schema' })
}
