import path from 'node:path'
import { shellWord } from '../../../base/shell-word.ts'
import { askedPackages } from './asked-packages.ts'
import {
  commandsIn,
  commandText,
  linesOf,
  type ShellCommand,
  type ShellLine,
  shortened,
  unmarked,
  unquoted,
  withoutMarks,
  wordsOf,
} from './shell-text.ts'

/** A path that a step writes. `made`: an empty directory, if it does not exist. `changed`: the step expects it to exist, or removes it. */
export interface Written {
  readonly path: string
  readonly kind: 'file' | 'directory' | 'made' | 'changed'
}

/** A file operation of a Dockerfile, as text for `sh`. Steps are in the order of the Dockerfile. */
export interface Step {
  readonly line: string
  readonly writes: readonly Written[]
}

/** Another name for a program, such as python for python3. */
export interface Alias {
  readonly name: string
  /** The path or name of the program. */
  readonly program: string
}

/** The parsed contents of a Dockerfile. */
export interface Recipe {
  readonly workdir: string | null
  readonly env: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
  /** The packages and programs that must be installed on this machine. */
  readonly packages: { readonly apt: readonly string[]; readonly pip: readonly string[]; readonly programs: readonly string[] }
  readonly aliases: readonly Alias[]
  /** Versions of python3, such as 3.12. */
  readonly pythons: readonly string[]
  /** The reasons why the image cannot be built here. */
  readonly reasons: readonly string[]
  /** Differences from the image. */
  readonly notes: readonly string[]
}

/** The programs that images with these names contain. Nothing is known about other images. */
const programsOf: Readonly<Record<string, readonly string[]>> = {
  ubuntu: [],
  debian: [],
  python: ['python3'],
  alpine: [],
  bash: ['bash'],
}

const fileCommands = new Set(['mkdir', 'touch', 'chmod', 'cp', 'mv', 'ln', 'echo', 'printf', 'cat', 'tee', 'rm'])
// A cell has one user, so owners have no meaning in it.
const harmless =
  /^(?:apt-get|apt) (?:-\S+ )*(?:update|clean|autoremove|autoclean|upgrade)\b|^rm -rf?(?:\s+(?:\/var\/lib\/apt\/lists\/?\*?|\/var\/cache\/\S*|\/tmp\/\*))+\s*$|^set -\w+$|^(?:true|:)$|^(?:chown|chgrp|useradd|groupadd|adduser|addgroup)\s/

/** The maximum length in characters, because the time to find instructions, words and quotes grows faster than the length of the text. */
const mostText = 64 * 1024
/** The home of an image's user is not that of a cell, and the scripts of a task do not read these files. */
const shellSettings = /(?:^|\/)\.(?:bashrc|bash_profile|bash_aliases|profile|zshrc)$/
const programDirectory = /^(?:\/usr(?:\/local)?)?\/s?bin$/

/**
 * Reads a Dockerfile without running it. `COPY` and lines of `RUN` that consist of mkdir, touch, chmod, cp, mv, ln, rm, echo, printf, cat
 * and tee become steps. Packages are collected. Anything else becomes a reason. The build context is /inputs/environment in a step.
 * `isDirectory`: whether a path of the build context is a directory.
 * https://docs.docker.com/reference/dockerfile/
 */
export function readDockerfile(text: string, isDirectory: (file: string) => boolean = () => false): Recipe {
  const env: Record<string, string> = {}
  const steps: Step[] = []
  const apt: string[] = []
  const pip: string[] = []
  const programs: string[] = []
  const aliases: Alias[] = []
  const pythons: string[] = []
  const reasons: string[] = []
  const notes: string[] = []
  let workdir: string | null = null
  let stages = 0
  const at = (): string => workdir ?? '/'
  const valued = (value: string): string =>
    value.replace(/\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+))/g, (all, braced, other, plain) => env[braced ?? plain] ?? other ?? all)
  const resolve = (file: string): string => path.posix.resolve(at(), file)
  const directories = new Set<string>()
  const isMade = (file: string): boolean => directories.has(file)
  const add = (step: Step): void => {
    steps.push(step)
    for (const each of step.writes) if (each.kind === 'directory' || each.kind === 'made') directories.add(each.path)
  }
  if (text.length > mostText) reasons.push('Dockerfile: it is over 64 KiB')
  for (const instruction of linesOf(text.slice(0, mostText), (line) => /^(?:RUN|COPY|ADD)\b/i.test(line))) {
    const { text: line, number, documents, open } = instruction
    const [, word = '', rest = ''] = /^(\w+)\s*(.*)$/s.exec(line) ?? []
    const why = (reason: string): void => void reasons.push(`Dockerfile, line ${number}: ${reason}`)
    if (open !== undefined) why(`its here-document ${open} has no end`)
    else
      switch (word.toUpperCase()) {
        case 'FROM': {
          stages += 1
          if (stages > 1) why('it is built in several stages')
          const image = rest.replace(/^--platform=\S+\s+/, '').split(/\s+/)[0] ?? ''
          const name = (image.split('/').at(-1) ?? '').split(/[:@]/)[0] ?? ''
          const known = Object.keys(programsOf).find((each) => name === each || name.startsWith(`${each}-`))
          if (known === undefined) why(`the contents of the image ${image} are not known`)
          else programs.push(...(programsOf[known] ?? []))
          if (known === 'python') aliases.push({ name: 'python', program: 'python3' })
          pythons.push(...(/\bpython:(\d+\.\d+)/.exec(image)?.slice(1) ?? []))
          break
        }
        case 'WORKDIR': {
          workdir = resolve(unquoted(valued(rest)))
          add({ line: `mkdir -p ${shellWord(workdir)}`, writes: [{ path: workdir, kind: 'made' }] })
          break
        }
        case 'ENV':
        case 'ARG': {
          for (const [name, value] of pairsOf(rest)) {
            if (name === 'PATH') notes.push(`its PATH is not used: ${value}`)
            // A variable without a value is empty.
            else env[name] = valued(value).replace(/\$(?:\{\w+\}|\w+)/g, '')
          }
          break
        }
        case 'COPY':
        case 'ADD': {
          const copied =
            documents.length > 0
              ? documentsOf(rest, documents, { valued, resolve, isMade })
              : copyOf(rest, { valued, resolve, isMade, isDirectory })
          if (typeof copied === 'string') why(copied)
          else add(copied)
          break
        }
        case 'RUN': {
          const read = readRun(instruction, rest, { at: at(), valued, isMade })
          apt.push(...read.apt)
          pip.push(...read.pip)
          aliases.push(...read.aliases)
          notes.push(...read.notes)
          read.steps.forEach(add)
          if (read.reason !== null) why(read.reason)
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
  return { workdir, env: kept, steps, packages: { apt, pip, programs }, aliases, pythons, reasons, notes }
}

interface Run {
  readonly steps: readonly Step[]
  readonly apt: readonly string[]
  readonly pip: readonly string[]
  readonly aliases: readonly Alias[]
  readonly notes: readonly string[]
  /** The first reason why the instruction cannot be run; null: there is none. */
  readonly reason: string | null
}

interface Names {
  readonly valued: (text: string) => string
  readonly isMade: (directory: string) => boolean
}

/** Reads a RUN, with its lines if it consists of a here-document. */
function readRun(instruction: ShellLine, rest: string, { at, valued, isMade }: Names & { readonly at: string }): Run {
  const steps: Step[] = []
  const apt: string[] = []
  const pip: string[] = []
  const aliases: Alias[] = []
  const notes: string[] = []
  const done = (reason: string | null): Run => ({ steps, apt, pip, aliases, notes, reason })
  const made = new Set<string>()
  let here = at
  const resolve = (file: string): string => path.posix.resolve(here, file)
  if (/^--\w+/.test(rest)) return done(`RUN with options is not supported: ${shortened(rest)}`)
  if (rest.startsWith('[')) return done(`RUN as a list is not supported: ${shortened(rest)}`)
  const [script] = withoutMarks(rest).trim() === '' ? instruction.documents : []
  const program = /^#!\s*(\S+(?:\s+\S+)?)/.exec(script?.body ?? '')?.[1]
  if (program !== undefined && !/\b(?:ba|da)?sh$/.test(program)) return done(`it runs a script of ${program}`)
  const lines = script === undefined ? [{ ...instruction, text: rest }] : linesOf(script.body)
  for (const line of lines) {
    if (line.open !== undefined) return done(`its here-document ${line.open} has no end`)
    if (!isPlain(line)) return done(`only plain commands are supported: ${shortened(line.text)}`)
    const commands = commandsIn(line)
    for (const [index, command] of commands.entries()) {
      const { text, after } = command
      if (text === '' || after === '||') continue
      const mayFail = commands[index + 1]?.after === '||'
      if (harmless.test(text)) continue
      const packages = askedPackages(text)
      if (packages !== null) {
        ;(packages.by === 'apt' ? apt : pip).push(...packages.names)
        const odd = packages.odd ?? (packages.files.length > 0 ? `-r ${packages.files[0]}` : null)
        if (odd !== null) return done(`it installs ${odd}, which is not looked up`)
        continue
      }
      const words = wordsOf(text).map(valued)
      if (words[0] === 'cd' && words.length === 2 && !(words[1] ?? '').includes('$')) {
        here = resolve(words[1] ?? '')
        continue
      }
      const alias = aliasOf(words, resolve)
      if (alias !== null) {
        aliases.push(alias)
        continue
      }
      const [settings] = [...unquotedRedirects(text)].filter((each) => shellSettings.test(each))
      if (settings !== undefined && /^(?:echo|printf|cat)\s/.test(text)) {
        notes.push(`its settings of shells are not used: ${settings}`)
        continue
      }
      const writes = writesOf(command, { resolve, valued, isMade: (each) => isMade(each) || made.has(each) })
      if (writes === null) return done(`it runs ${shortened(text)}`)
      for (const each of writes) if (each.kind === 'directory' || each.kind === 'made') made.add(each.path)
      steps.push({ line: `cd ${shellWord(here)} && ${commandText(command, mayFail ? ' || true' : '')}`, writes })
    }
  }
  return done(null)
}

/** Returns whether a line consists of commands that are separated by `&&` and `;`, or end with `|| true`. */
function isPlain({ text, documents }: ShellLine): boolean {
  const syntax = unmarked(withoutMarks(text))
    .replace(/\d?>&\d/g, '')
    .replace(/\|\|\s*(?:true|:)(?=\s*(?:$|;|&&))/g, '')
  if (/<<|`|\$\(|\||(?<!&)&(?!&)|[(){}]\s*$/.test(syntax)) return false
  return documents.every(({ isExpanded, body }) => !isExpanded || !/`|\$\(/.test(body))
}

/** Returns the other name that a command gives to a program in a directory of programs; null: it does something else. */
function aliasOf(words: readonly string[], resolve: (file: string) => string): Alias | null {
  const [program, ...rest] = words
  if (program === 'update-alternatives') {
    const [how, ...values] = rest.filter((each) => !['--quiet', '--force', '--verbose'].includes(each))
    const [first, second, third] = values
    if (how === '--install' && first !== undefined && third !== undefined && programDirectory.test(path.posix.dirname(first)))
      return { name: path.posix.basename(first), program: third }
    return how === '--set' && first !== undefined && second !== undefined ? { name: first, program: second } : null
  }
  if (program !== 'ln') return null
  const operands = rest.filter((each) => !each.startsWith('-'))
  const [target, link = '.'] = operands
  if (target === undefined || operands.length > 2) return null
  const at = programDirectory.test(resolve(link)) ? path.posix.join(resolve(link), path.posix.basename(target)) : resolve(link)
  const directory = path.posix.dirname(at)
  return programDirectory.test(directory) ? { name: path.posix.basename(at), program: path.posix.resolve(directory, target) } : null
}

/** Returns the absolute paths that a file command writes; null: the command is not supported. */
function writesOf(
  command: ShellCommand,
  { resolve, valued, isMade }: Names & { readonly resolve: (file: string) => string },
): Written[] | null {
  const text = withoutMarks(command.text).replace(/\d?>&\d/g, ' ')
  const targets = [...unquotedRedirects(text)].map(valued).filter((each) => !/^\/dev\/(?:null|std\w+)$/.test(each))
  // The shell of a cell may expand these in another way than that of the image.
  const isUnknown = (each: string): boolean => each.includes('$') || each.startsWith('~')
  if (targets.some(isUnknown)) return null
  const redirected = targets.map((each): Written => ({ path: resolve(each), kind: 'file' }))
  const words = wordsOf(text.replace(/\d?>>?\s*\S+/g, ' '))
  const [program = '', ...rest] = words
  if (!fileCommands.has(program)) return null
  if (program === 'echo' || program === 'printf' || program === 'cat') return redirected
  const operands = rest.filter((each) => !each.startsWith('-')).map(valued)
  if (operands.some(isUnknown)) return null
  const as = (kind: Written['kind'], files: readonly string[]): Written[] => files.map((each) => ({ path: resolve(each), kind }))
  const isTree = rest.some((each) => /^-\w*[rRa]|^--(?:recursive|archive)/.test(each))
  const last = operands.at(-1) ?? ''
  const isInto = last.endsWith('/') || last === '.' || operands.length > 2 || isMade(resolve(last)) || (isTree && program === 'cp')
  const written: Readonly<Record<string, () => Written[]>> = {
    mkdir: () => as('made', operands),
    touch: () => as('file', operands),
    tee: () => as('file', operands),
    chmod: () => as('changed', operands.slice(1)),
    rm: () => as('changed', operands),
  }
  return [...(written[program]?.() ?? as(isInto ? 'directory' : 'file', operands.slice(-1))), ...redirected]
}

function* unquotedRedirects(command: string): Generator<string> {
  for (const [, file] of command
    .replace(/'[^']*'|"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, (each) => (/\s*>/.test(each) ? "''" : each))
    .matchAll(/\d?>>?\s*(\S+)/g))
    if (file !== undefined) yield unquoted(file)
}

interface Copying extends Names {
  readonly resolve: (file: string) => string
}

function copyOf(
  rest: string,
  { valued, resolve, isMade, isDirectory }: Copying & { readonly isDirectory: (file: string) => boolean },
): Step | string {
  if (/^--from=/.test(rest) || /\s--from=/.test(rest)) return 'it copies from another stage'
  const words = rest.replace(/^(?:--\S+\s+)*/, '').startsWith('[') ? listOf(rest.replace(/^(?:--\S+\s+)*/, '')) : wordsOf(rest)
  const operands = words?.filter((each) => !each.startsWith('--')).map(valued)
  if (operands === undefined || operands.length < 2) return `COPY ${shortened(rest)} cannot be read`
  const sources = operands.slice(0, -1)
  const to = operands.at(-1) ?? '/'
  if (sources.some((each) => /^https?:|^git@/.test(each))) return 'it fetches a file'
  if (sources.some((each) => path.posix.normalize(`/${each}`) !== path.posix.join('/', each) || each.split('/').includes('..')))
    return 'it copies from outside of its directory'
  const target = resolve(to)
  const isInto = to.endsWith('/') || to === '.' || sources.length > 1
  const from = sources.map((each) => path.posix.join('/inputs/environment', each))
  // The contents of a directory are copied, not the directory itself.
  const copies = from.map((each) => {
    const glob = shellWord(each).replace(/\\?([*?])/g, '$1')
    const source = /[*?]/.test(each) ? each.replace(/[^\w./*?-]/g, '\\$&') : glob
    return `for each in ${source}; do if [ -d "$each" ]; then mkdir -p ${shellWord(target)} && cp -R "$each"/. ${shellWord(target)}/; elif [ ${isInto ? 'x' : ''} ] || [ -d ${shellWord(target)} ]; then mkdir -p ${shellWord(target)} && cp "$each" ${shellWord(target)}/; else mkdir -p ${shellWord(path.posix.dirname(target))} && cp "$each" ${shellWord(target)}; fi || exit 1; done`
  })
  const isTree = isInto || isMade(target) || sources.some((each) => /[*?]/.test(each) || isDirectory(each))
  return { line: copies.join('\n'), writes: [{ path: target, kind: isTree ? 'directory' : 'file' }] }
}

/** Returns the step for a COPY whose sources are here-documents. */
function documentsOf(rest: string, documents: ShellLine['documents'], { valued, resolve, isMade }: Copying): Step | string {
  const operands = wordsOf(withoutMarks(rest))
    .filter((each) => !each.startsWith('--'))
    .map(valued)
  const [to] = operands
  if (to === undefined || operands.length > 1) return `COPY ${shortened(rest)} mixes files and here-documents`
  const isInto = to.endsWith('/') || documents.length > 1 || isMade(resolve(to))
  const files = documents.map((each) => ({ ...each, path: isInto ? path.posix.join(resolve(to), each.name) : resolve(to) }))
  const line = files
    .map(
      ({ path: file, body, isExpanded }) =>
        `mkdir -p ${shellWord(path.posix.dirname(file))} && printf %s ${shellWord(isExpanded ? valued(body) : body)} > ${shellWord(file)}`,
    )
    .join(' &&\n')
  return { line, writes: files.map((each) => ({ path: each.path, kind: 'file' })) }
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

function listOf(text: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : undefined
  } catch {
    return undefined
  }
}
