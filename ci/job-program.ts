import { existsSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../src/base/errors.ts'
import { runChild } from './job-child.ts'

export interface ProgramPlace {
  /** A directory that install.sh and npm install to. */
  readonly prefix: string
  /** The checkout, from which a path is relative. */
  readonly workspace: string
  /** Packages of the release of this action; null: not known. */
  readonly release: string | null
  /** A checkout of Paddock in which it may be built; null: not in one. */
  readonly own: string | null
  readonly env: Readonly<Record<string, string>>
  readonly onLine: (line: string) => void
}

/**
 * Returns the command that starts Paddock, and installs it if `from` is a directory, a URL or an archive.
 * @throws PaddockError BAD_INPUT, NOT_FOUND, FILES_FAILED
 */
export async function paddockProgram(from: string | null, place: ProgramPlace): Promise<readonly string[]> {
  const where = from ?? place.release
  if (where === null) {
    const built = place.own === null ? null : path.join(place.own, 'dist/main.js')
    if (built !== null && existsSync(built)) return [process.execPath, path.join(path.dirname(built), '../bin/paddock.mjs')]
    throw new PaddockError('BAD_INPUT', 'Input from: this version of the action has no release, so its packages are not known.', {
      hint: 'Name a directory or a URL with the packages, or use the action by its tag',
    })
  }
  if (where === 'installed') return [onPath(place.env['PATH'] ?? '')]
  if (/^https?:/.test(where)) return await fromAddress(new URL(where), place)
  return await fromFiles(path.resolve(place.workspace, where), place)
}

function onPath(directories: string): string {
  const found = directories
    .split(':')
    .map((each) => path.join(each, 'paddock'))
    .find((each) => path.isAbsolute(each) && existsSync(each))
  if (found === undefined)
    throw new PaddockError('NOT_FOUND', 'Input from: installed, but paddock is not in PATH.', { hint: 'Install it in an earlier step' })
  return found
}

async function fromFiles(file: string, place: ProgramPlace): Promise<readonly string[]> {
  const kind = statSync(file, { throwIfNoEntry: false })
  if (kind === undefined)
    throw new PaddockError('NOT_FOUND', `Input from: ${file} does not exist.`, { hint: 'Give a path in the checkout' })
  if (file.endsWith('.tgz')) {
    await install(['npm', 'install', '--global', '--no-audit', '--no-fund', '--prefix', place.prefix, file], place)
    return [path.join(place.prefix, 'bin/paddock')]
  }
  if (!kind.isDirectory()) return [file]
  if (!existsSync(path.join(file, 'install.sh')))
    throw new PaddockError('NOT_FOUND', `Input from: ${file} contains no install.sh.`, { hint: 'Give the directory of the packages' })
  return await installed(path.join(file, 'install.sh'), file, place)
}

/** Only loopback may be without TLS: whoever is in between could replace the program. */
async function fromAddress(url: URL, place: ProgramPlace): Promise<readonly string[]> {
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol === 'http:' && !isLoopback)
    throw new PaddockError('BAD_INPUT', 'Input from: http is not encrypted.', { hint: 'Use https' })
  if (/\.(?:tgz|gz|deb|sh)$/.test(url.pathname))
    throw new PaddockError('BAD_INPUT', `Input from: ${url.href} is a file, but a URL must name the directory of the packages.`, {
      hint: `Use ${new URL('.', url).href}`,
    })
  const base = url.href.replace(/\/$/, '')
  const script = path.join(place.prefix, '..', 'install.sh')
  try {
    const answer = await fetch(`${base}/install.sh`)
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    writeFileSync(script, await answer.text())
  } catch (error) {
    throw new PaddockError('FILES_FAILED', `${base}/install.sh could not be fetched: ${(error as Error).message}.`, { cause: error })
  }
  return await installed(script, base, place)
}

async function installed(script: string, from: string, place: ProgramPlace): Promise<readonly string[]> {
  await install(['sh', script, '--from', from, '--prefix', place.prefix], place)
  return [path.join(place.prefix, 'bin/paddock')]
}

async function install(program: readonly string[], { env, onLine, workspace }: ProgramPlace): Promise<void> {
  let last = ''
  const { code } = await runChild(program, {
    cwd: workspace,
    env,
    onLine: (line) => {
      last = line.startsWith('  hint:') ? last : line
      onLine(line)
    },
  })
  if (code !== 0) throw new PaddockError('FILES_FAILED', `Paddock could not be installed: ${last.replace(/^install: |\.$/g, '')}.`)
}
