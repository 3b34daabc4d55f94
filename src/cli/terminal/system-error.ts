import { PaddockError } from '../../errors.ts'

const access = 'Look whether you may read and write there; PADDOCK_HOME names another place for what Paddock keeps.'
const room = 'Make room on that disk: paddock clean removes what killed processes left, paddock discard a copy.'

const hints: Readonly<Record<string, string>> = {
  EACCES: access,
  EPERM: access,
  EROFS: access,
  ENOTDIR: access,
  EISDIR: access,
  EEXIST: access,
  ENOSPC: room,
  EDQUOT: room,
  EMFILE: 'Raise the limit of open files: ulimit -n 4096.',
  ENFILE: 'Too many files are open on this machine.',
}

/**
 * What the system refused (a full disk, a directory that is not yours) is no fault of Paddock: such an error as one sentence with its
 * place, where no part of Paddock has said it better. Everything else as it is.
 */
export function asSentence(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PaddockError) return error
  const { code, errno, syscall, path, dest } = error as NodeJS.ErrnoException & { readonly dest?: string }
  if (code === undefined || typeof errno !== 'number' || syscall === undefined) return error
  if (syscall === 'uv_cwd')
    return new PaddockError('FILES_FAILED', `The directory that you are in cannot be read or is gone (${code}).`, {
      hint: 'Change to another one.',
      cause: error,
    })
  // `EACCES: permission denied, mkdir '/x'`
  const why = /^[A-Z0-9]+: ([^,]+),/.exec(error.message)?.[1] ?? code
  const place = path === undefined || path.startsWith('/proc/self/fd/') ? '' : `${path}${dest === undefined ? '' : ` → ${dest}`}: `
  return new PaddockError('FILES_FAILED', `${place}${why} (${code}, ${syscall})`, {
    ...(hints[code] === undefined ? {} : { hint: hints[code] }),
    cause: error,
  })
}
