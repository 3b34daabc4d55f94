import { PaddockError } from '../base/errors.ts'
import type { LoginPlace, LoginSource } from './agent-login.ts'
import { type LoginProgram, letItRenew, logInAgain } from './log-in-again.ts'
import { type ProgramEnd, runProgram } from './run-program.ts'

/*
 * Access to the login keychain of macOS through its `security` program (security(1)). The program exits with the lowest eight bits of the
 * OSStatus of the Security framework (SecBase.h). Written from the manual and from how Claude Code uses it, and never run on a Mac.
 */

type Item = Extract<LoginSource, { readonly kind: 'keychain' }>
type Access = Pick<LoginPlace, 'env' | 'security' | 'patienceMs'>

/** The exit code for errSecItemNotFound -25300. */
const notFound = 44
/**
 * errSecInteractionNotAllowed -25308, errSecAuthFailed -25293, errSecUserCanceled -128, errSecNoSuchKeychain -25294,
 * errSecNoDefaultKeychain -25307.
 */
const refusals: Readonly<Record<number, { readonly why: string; readonly fix: string }>> = {
  36: { why: 'is locked, and nobody can be asked for its password here', fix: 'Unlock it with: security unlock-keychain' },
  51: { why: 'refused it', fix: 'Allow access to the item in Keychain Access, for the program "security"' },
  128: { why: 'was asked, and access was denied', fix: 'Run it again and allow the access' },
  50: { why: 'is not there', fix: 'Make a login keychain with Keychain Access' },
  37: { why: 'is not there', fix: 'Make a login keychain with Keychain Access' },
}

const usualPatienceMs = 20_000
/** The maximum length of a line in bytes. In its interactive mode, security(1) reads lines of at most 4096 bytes. */
const maxLine = 4_000

/** Returns the text of an item, or null if it does not exist. Throws LOGIN_NEEDED with the fix if the Keychain refuses access. */
export async function findItem(item: Item, program: LoginProgram, access: Access): Promise<string | null> {
  const end = await run(['find-generic-password', '-a', item.account, '-s', item.service, '-w'], access)
  if (end.kind === 'ended' && end.code === notFound) return null
  if (end.kind !== 'ended' || end.code !== 0) throw refused(item, program, end, access)
  const text = end.stdout.toString('utf8').trim()
  end.stdout.fill(0)
  // The program prints text with special characters as hexadecimal digits.
  return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex').toString('utf8') : text
}

/** Throws FILES_FAILED if a text of this length could be stored only in a way that is visible to `ps`. */
export function mayStoreItem(item: Item, bytes: number, program: LoginProgram): void {
  if (command(item, '').length + 2 * bytes <= maxLine) return
  throw new PaddockError('FILES_FAILED', `The keychain item "${item.service}" has grown too large to be written without showing it.`, {
    hint: letItRenew(program),
  })
}

/**
 * Replaces the text of an item and checks the result. The command is passed on standard input, so that the list of processes does
 * not show it. Throws LOGIN_NEEDED or FILES_FAILED.
 */
export async function storeItem(item: Item, text: string, program: LoginProgram, access: Access): Promise<void> {
  mayStoreItem(item, Buffer.byteLength(text), program)
  const input = Buffer.from(command(item, Buffer.from(text).toString('hex')))
  const end = await run(['-i'], access, input)
  input.fill(0)
  if (end.kind !== 'ended' || end.code !== 0) throw refused(item, program, end, access)
  // In interactive mode, the exit code does not show whether the command succeeded.
  if ((await findItem(item, program, access)) === text) return
  throw new PaddockError('FILES_FAILED', `The keychain item "${item.service}" could not be written.`, { hint: letItRenew(program) })
}

function command(item: Item, hex: string): string {
  return `add-generic-password -U -a "${item.account}" -s "${item.service}" -X "${hex}"\n`
}

function run(args: readonly string[], { env, security, patienceMs }: Access, input?: Uint8Array): Promise<ProgramEnd> {
  const { HOME, USER, LOGNAME } = env
  return runProgram(security ?? '/usr/bin/security', args, {
    env: { HOME, USER, LOGNAME, PATH: '/usr/bin:/bin' },
    patienceMs: patienceMs ?? usualPatienceMs,
    ...(input === undefined ? {} : { input }),
  })
}

function refused(item: Item, program: LoginProgram, end: ProgramEnd, { patienceMs, security }: Access): PaddockError {
  const what = `The login of ${program.agent} was not handed out: the Keychain`
  if (end.kind === 'missing')
    return new PaddockError('LOGIN_NEEDED', `${what} cannot be asked, because ${security ?? '/usr/bin/security'} cannot be run.`, {
      hint: 'Check that it is installed (it is part of macOS)',
    })
  if (end.kind === 'hung')
    return new PaddockError('LOGIN_NEEDED', `${what} did not answer within ${Math.round((patienceMs ?? usualPatienceMs) / 1000)} s.`, {
      hint: 'Answer the prompt on the screen, or run: security unlock-keychain',
    })
  const known = /interaction is not allowed/i.test(end.stderr) ? refusals[36] : refusals[end.code ?? -1]
  if (known !== undefined) return new PaddockError('LOGIN_NEEDED', `${what} ${known.why} (item "${item.service}").`, { hint: known.fix })
  return new PaddockError('LOGIN_NEEDED', `${what} answered with code ${end.code ?? 'none'} (item "${item.service}").`, {
    hint: `Look at it in Keychain Access. ${logInAgain(program)}`,
  })
}
