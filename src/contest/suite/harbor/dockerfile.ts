import path from 'node:path'
import { shellWord } from '../../../base/shell-word.ts'

/** A file operation of a Dockerfile, as a line for `sh`. Steps are in the order of the Dockerfile. */
interface Step {
  readonly line: string
  /** The absolute paths that the step writes. */
  readonly writes: readonly string[]
}

/** The parsed contents of a Dockerfile. */
export interface Recipe {
  readonly workdir: string | null
  readonly env: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
  /** The packages and programs that must be installed on this machine. */
  readonly packages: { readonly apt: readonly string[]; readonly pip: readonly string[]; readonly programs: readonly string[] }
  /** The reasons why the image cannot be built here. */
  readonly reasons: readonly string[]
}

/** The programs that images with these names contain. Nothing is known about other images. */
const programsOf: Readonly<Record<string, readonly string[]>> = {
  ubuntu: [],
  debian: [],
  python: ['python3'],
  alpine: [],
  bash: ['bash'],
}

const fileCommands = new Set(['mkdir', 'touch', 'chmod', 'cp', 'mv', 'ln', 'echo', 'printf'])
const harmless =
  /^(?:apt-get|apt) (?:-\S+ )*(?:update|clean|autoremove|autoclean|upgrade)\b|^rm -rf?(?:\s+(?:\/var\/lib\/apt\/lists\/?\*?|\/var\/cache\/\S*|\/tmp\/\*))+\s*$|^set -\w+$|^(?:true|:)$/

/** The maximum length in characters, because the time to find instructions, words and quotes grows faster than the length of the text. */
const mostText = 64 * 1024

/**
 * Reads a Dockerfile without running it. `COPY` and lines of `RUN` that consist of mkdir, touch, chmod, cp, mv, ln, echo and printf become
 * steps. Packages are collected. Anything else becomes a reason. The build context is /environment in a step.
 * https://docs.docker.com/reference/dockerfile/
 */
export function readDockerfile(text: string): Recipe {
  const env: Record<string, string> = {}
  const steps: Step[] = []
  const apt: string[] = []
  const pip: string[] = []
  const programs: string[] = []
  const reasons: string[] = []
  let workdir: string | null = null
  let stages = 0
  const at = (): string => workdir ?? '/'
  const valued = (value: string): string => value.replace(/\$(?:\{(\w+)\}|(\w+))/g, (all, braced, plain) => env[braced ?? plain] ?? all)
  const resolve = (file: string): string => path.posix.resolve(at(), file)
  if (text.length > mostText) reasons.push('Dockerfile: it is over 64 KiB')
  for (const { line, number } of instructionsOf(text.slice(0, mostText))) {
    const [, word = '', rest = ''] = /^(\w+)\s*(.*)$/s.exec(line) ?? []
    const why = (reason: string): void => void reasons.push(`Dockerfile, line ${number}: ${reason}`)
    switch (word.toUpperCase()) {
      case 'FROM': {
        stages += 1
        if (stages > 1) why('it is built in several stages')
        const image = rest.replace(/^--platform=\S+\s+/, '').split(/\s+/)[0] ?? ''
        const name = (image.split('/').at(-1) ?? '').split(/[:@]/)[0] ?? ''
        const known = Object.keys(programsOf).find((each) => name === each || name.startsWith(`${each}-`))
        if (known === undefined) why(`the contents of the image ${image} are not known`)
        else programs.push(...(programsOf[known] ?? []))
        break
      }
      case 'WORKDIR': {
        workdir = resolve(unquoted(valued(rest)))
        steps.push({ line: `mkdir -p ${shellWord(workdir)}`, writes: [workdir] })
        break
      }
      case 'ENV':
      case 'ARG': {
        for (const [name, value] of pairsOf(rest)) env[name] = valued(value)
        break
      }
      case 'COPY':
      case 'ADD': {
        const copied = copyOf(rest, valued, resolve)
        if (typeof copied === 'string') why(copied)
        else steps.push(copied)
        break
      }
      case 'RUN': {
        for (const each of commandsOf(rest)) {
          if (typeof each !== 'string') {
            why(`${each.reason}: ${shortened(rest)}`)
            break
          }
          if (harmless.test(each)) continue
          const packages = packagesOf(each)
          if (packages !== null) {
            ;(packages.by === 'apt' ? apt : pip).push(...packages.names)
            if (packages.reason !== null) why(packages.reason)
            continue
          }
          const written = writesOf(each, resolve, valued)
          if (written === null) why(`it runs ${shortened(each)}`)
          else steps.push({ line: `cd ${shellWord(at())} && ${each}`, writes: written })
        }
        break
      }
      case 'CMD':
      case 'LABEL':
      case 'EXPOSE':
      case 'MAINTAINER':
      case 'SHELL':
      case 'USER':
      case 'STOPSIGNAL':
        break
      default:
        why(`${word.toUpperCase()} is not supported`)
    }
  }
  if (stages === 0) reasons.push('Dockerfile: it has no FROM')
  const { DEBIAN_FRONTEND: _, ...kept } = env
  return { workdir, env: kept, steps, packages: { apt, pip, programs }, reasons }
}

/** Returns the instructions, with continued lines joined and without comments. */
function instructionsOf(text: string): { line: string; number: number }[] {
  const found: { line: string; number: number }[] = []
  let open: { line: string; number: number } | null = null
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    if (/^\s*#/.test(raw) || (open === null && raw.trim() === '')) continue
    const line: string = open === null ? raw.trim() : `${open.line} ${raw.trim()}`
    const number: number = open?.number ?? index + 1
    if (line.endsWith('\\')) open = { line: line.slice(0, -1).trimEnd(), number }
    else {
      found.push({ line, number })
      open = null
    }
  }
  return open === null ? found : [...found, open]
}

/** Returns the commands of a RUN. Anything beyond `a && b; c` becomes a reason. */
function commandsOf(rest: string): (string | { readonly reason: string })[] {
  if (/^--\w+/.test(rest)) return [{ reason: 'RUN with options is not supported' }]
  if (rest.startsWith('[')) return [{ reason: 'RUN as a list is not supported' }]
  if (/<<|`|\$\(|(?<!\|)\|(?!\|)|\|\||(?<!&)&(?!&)|[(){}]\s*$/.test(unmarked(rest)))
    return [{ reason: 'only plain commands are supported' }]
  return splitOutsideQuotes(rest)
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/**
 * Returns a text without its quoted parts, which a shell does not parse as syntax. A double-quoted part with `$(` or backticks leaves a
 * backtick. An unclosed quote extends to the end, because otherwise each quote in the rest would cause another search.
 */
function unmarked(text: string): string {
  return text.replace(/'[^']*'/g, '').replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, (each) => (/\$\(|`/.test(each) ? '`' : ''))
}

function splitOutsideQuotes(text: string): string[] {
  const parts: string[] = ['']
  for (const [token] of text.matchAll(/'[^']*'|"(?:[^"\\]|\\.)*"|\\.|&&|;|[^'"\\&;]+|./gs)) {
    if (token === '&&' || token === ';') parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts
}

function packagesOf(command: string): { by: 'apt' | 'pip'; names: string[]; reason: string | null } | null {
  const found =
    /^(?:apt-get|apt)\s+(?:-\S+\s+)*install\s+(.*)$/s.exec(command) ??
    /^(?:python3?\s+-m\s+)?(?:uv\s+)?pip3?\s+install\s+(.*)$/s.exec(command)
  if (found === null) return null
  const by = command.startsWith('apt') ? 'apt' : 'pip'
  const words = (found[1] ?? '')
    .split(/\s+/)
    .map(unquoted)
    .filter((each) => each !== '')
  const odd = words.find((each) => /^(?:-r|-e|--requirement|--editable|\.|git\+|https?:)/.test(each) || each.includes('/'))
  const names = words.filter((each) => !each.startsWith('-')).map((each) => (by === 'apt' ? (each.split('=')[0] ?? each) : each))
  return { by, names, reason: odd === undefined ? null : `it installs ${odd}, which is not looked up` }
}

/** Returns the absolute paths that a file command writes; null: the command is not supported. */
function writesOf(command: string, resolve: (file: string) => string, valued: (text: string) => string): string[] | null {
  const redirected = [...unquotedRedirects(command)].map((each) => resolve(valued(each)))
  const words = wordsOf(command.replace(/\d?>>?\s*\S+/g, ' '))
  const [program = '', ...rest] = words
  if (!fileCommands.has(program)) return null
  if (program === 'echo' || program === 'printf') return redirected
  const operands = rest.filter((each) => !each.startsWith('-')).map(valued)
  const files = program === 'chmod' ? operands.slice(1) : program === 'mkdir' || program === 'touch' ? operands : operands.slice(-1)
  if (files.some((each) => each.includes('$'))) return null
  return [...files.map(resolve), ...redirected]
}

function* unquotedRedirects(command: string): Generator<string> {
  for (const [, file] of command
    .replace(/'[^']*'|"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, (each) => (/\s*>/.test(each) ? "''" : each))
    .matchAll(/\d?>>?\s*(\S+)/g))
    if (file !== undefined) yield unquoted(file)
}

function copyOf(rest: string, valued: (text: string) => string, resolve: (file: string) => string): Step | string {
  if (/^--from=/.test(rest) || /\s--from=/.test(rest)) return 'it copies from another stage'
  const words = rest.startsWith('[') ? listOf(rest) : wordsOf(rest)
  const operands = words?.filter((each) => !each.startsWith('--')).map(valued)
  if (operands === undefined || operands.length < 2) return `COPY ${shortened(rest)} cannot be read`
  const sources = operands.slice(0, -1)
  const to = operands.at(-1) ?? '/'
  if (sources.some((each) => /^https?:|^git@/.test(each))) return 'it fetches a file'
  if (sources.some((each) => path.posix.normalize(`/${each}`) !== path.posix.join('/', each) || each.split('/').includes('..')))
    return 'it copies from outside of its directory'
  const target = resolve(to)
  const isInto = to.endsWith('/') || to === '.' || sources.length > 1
  const from = sources.map((each) => path.posix.join('/environment', each))
  // The contents of a directory are copied, not the directory itself.
  const copies = from.map((each) => {
    const glob = shellWord(each).replace(/\\?([*?])/g, '$1')
    const source = /[*?]/.test(each) ? each.replace(/[^\w./*?-]/g, '\\$&') : glob
    return `for each in ${source}; do if [ -d "$each" ]; then mkdir -p ${shellWord(target)} && cp -R "$each"/. ${shellWord(target)}/; elif [ ${isInto ? 'x' : ''} ] || [ -d ${shellWord(target)} ]; then mkdir -p ${shellWord(target)} && cp "$each" ${shellWord(target)}/; else mkdir -p ${shellWord(path.posix.dirname(target))} && cp "$each" ${shellWord(target)}; fi || exit 1; done`
  })
  return { line: copies.join('\n'), writes: [target] }
}

function pairsOf(rest: string): [string, string][] {
  if (!/^\w+=/.test(rest)) {
    const [, name, value] = /^(\w+)\s+(.*)$/s.exec(rest) ?? []
    return name === undefined ? [] : [[name, value ?? '']]
  }
  return wordsOf(rest).flatMap((each) => {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(each) ?? []
    return name === undefined ? [] : [[name, value ?? ''] as [string, string]]
  })
}

/** Splits a line as a shell does, and removes the quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gs)].map(([word]) => unquoted(word))
}

function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, (_, single, double, escaped) => single ?? double ?? escaped)
}

function listOf(text: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
