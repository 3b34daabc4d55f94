import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { codeOf, PaddockError } from '../../base/errors.ts'
import { type Paths, resolvePaths } from '../../base/paths.ts'
import { shellWord } from '../../base/shell-word.ts'

const access = 'Check whether you may read and write there'
const room = 'Make room on that disk'

const hints: Readonly<Record<string, string>> = {
  EACCES: access,
  EPERM: access,
  EROFS: access,
  ENOTDIR: 'Something else has that name',
  EISDIR: 'Something else has that name',
  EEXIST: 'Something else has that name',
  ENOSPC: room,
  EDQUOT: room,
  EMFILE: 'Raise the limit of open files: ulimit -n 4096',
  ENFILE: 'Too many files are open on this machine.',
}

/**
 * Returns a system error (a full disk, a directory of another user) as one sentence with its path, because it is not a bug of
 * Paddock. Returns every other error unchanged.
 */
export function asSentence(error: unknown, paths: Paths | null = pathsOrNull()): unknown {
  if (!(error instanceof Error) || error instanceof PaddockError) return error
  const { code: reported, errno, syscall, path: file, dest } = error as NodeJS.ErrnoException & { readonly dest?: string }
  if (reported === undefined || typeof errno !== 'number' || syscall === undefined) return error
  const isReadOnly = reported === 'ENOENT' && syscall === 'mkdir' && file !== undefined && isOnReadOnly(file)
  const code = isReadOnly ? 'EROFS' : reported
  if (syscall === 'uv_cwd')
    return new PaddockError('FILES_FAILED', `The directory that you are in cannot be read or is gone (${code}).`, {
      hint: 'Change to another directory',
      cause: error,
    })
  // `EACCES: permission denied, mkdir '/x'`
  const why = isReadOnly ? 'read-only file system' : (/^[A-Z0-9]+: ([^,]+),/.exec(error.message)?.[1] ?? code)
  const named = file?.startsWith('/proc/self/fd/') === true ? undefined : file
  const place = named === undefined ? '' : `${named}${dest === undefined ? '' : ` → ${dest}`}: `
  const hint = hintFor(code, syscall, named, paths)
  return new PaddockError('FILES_FAILED', `${place}${why} (${code}, ${syscall}).`, {
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  })
}

/** Node's mkdir with `recursive` reports that a parent is missing if it could not be made on a read-only file system. */
function isOnReadOnly(file: string): boolean {
  let parent = path.dirname(file)
  while (!existsSync(parent)) parent = path.dirname(parent)
  try {
    accessSync(parent, constants.W_OK)
    return false
  } catch (error) {
    return codeOf(error) === 'EROFS'
  }
}

function hintFor(code: string, syscall: string, file: string | undefined, paths: Paths | null): string | undefined {
  const hint = hints[code]
  const isOwn = file !== undefined && paths !== null && isKept(path.resolve(file), syscall, paths)
  if (hint === room)
    return isOwn || file === undefined ? `${hint}: paddock clean removes what killed processes left, paddock discard a copy` : hint
  if (hint === undefined || code === 'EMFILE' || code === 'ENFILE') return hint
  if (isOwn) return `${hint}; PADDOCK_HOME selects another directory for Paddock's files`
  return hint === access || file === undefined ? hint : `${hint}; look at it: ls -ld ${shellWord(file)}`
}

/** Returns true if `file` is in one of Paddock's own directories, or is a parent that is being created for one. */
function isKept(file: string, syscall: string, { config, state, data, cache }: Paths): boolean {
  const isBelow = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(outer + path.sep)
  return [config, state, data, cache].some((each) => isBelow(file, each) || (syscall === 'mkdir' && isBelow(each, file)))
}

/** Returns Paddock's directories; null if the user has no home directory. */
function pathsOrNull(): Paths | null {
  try {
    return resolvePaths(process.env)
  } catch {
    return null
  }
}
