import { X509Certificate } from 'node:crypto'
import { readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { certificateUse } from './certificate-variables.ts'
import { isCertificateFile } from './certificates.ts'
import { contains } from './filesystem.ts'
import type { MachineFacts } from './machine-facts.ts'
import type { CellSpec } from './spec.ts'

const maxBytes = 8 * 1024 ** 2
const maxFiles = 4_000

/**
 * Returns the certificates (PEM) that the user's variables name, such as NODE_EXTRA_CA_CERTS. Everything else in these files, such as a
 * private key, is left out. Paths are those of the cell where a mount has its own target, and those of the host otherwise.
 * @param hasAuthority true if the cell has its own authority, so that a variable may name the cell's own files.
 * @throws PaddockError BAD_INPUT for a variable without a certificate
 */
export function userCertificates(
  spec: Pick<CellSpec, 'env' | 'cwd' | 'mounts' | 'name'>,
  { bundleVariables }: Pick<MachineFacts, 'bundleVariables'>,
  hasAuthority: boolean,
): readonly string[] {
  return Object.entries(spec.env).flatMap(([name, value]) => {
    const use = value === '' || value.includes('\0') ? null : certificateUse(name, bundleVariables)
    if (use === null || (hasAuthority && isCertificateFile(value))) return []
    const read = use === 'text' ? [value.replaceAll('\\n', '\n')] : pathsOf(use, value).flatMap((each) => textsAt(onHost(each, spec)))
    const found = read.flatMap(certificatesIn)
    if (found.length > 0) return found
    const place = use === 'text' ? '' : `names ${use === 'directories' ? 'the directory' : 'the file'} ${value}, which `
    const why = read.length > 0 ? 'holds no certificate (PEM)' : 'cannot be read'
    throw new PaddockError('BAD_INPUT', `${spec.name}: ${name} ${place}${why}.`, {
      hint: `Set ${name} to a readable PEM file with certificates, or leave it out. For a file that the cell makes, set it there: -- env ${name}=FILE COMMAND`,
    })
  })
}

function pathsOf(use: 'adds' | 'replaces' | 'directories', value: string): readonly string[] {
  return use === 'directories' ? value.split(path.delimiter).filter((each) => each !== '') : [value]
}

/** Returns the path on the host for a path of the cell. */
function onHost(file: string, { cwd, mounts }: Pick<CellSpec, 'cwd' | 'mounts'>): string {
  const absolute = path.resolve(cwd, file)
  const mount = mounts.findLast(({ target }) => target !== undefined && contains(target, absolute))
  return mount?.target === undefined ? absolute : path.join(mount.source, path.relative(mount.target, absolute))
}

/** Returns the texts of a file, or of the files in a directory. */
function textsAt(file: string): readonly string[] {
  try {
    const real = realpathSync(file)
    const files = statSync(real).isDirectory()
      ? readdirSync(real)
          .slice(0, maxFiles)
          .map((each) => path.join(real, each))
      : [real]
    const unique = new Set(files.flatMap((each) => realPath(each)))
    return [...unique].flatMap((each) => readRegularSync(each, maxBytes) ?? [])
  } catch {
    return []
  }
}

function realPath(file: string): string[] {
  try {
    return [realpathSync(file)]
  } catch {
    // A link that leads nowhere.
    return []
  }
}

/** Returns the certificates of a text, re-encoded after parsing. */
function certificatesIn(text: string): readonly string[] {
  return [...text.matchAll(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g)].flatMap(([block]) => {
    try {
      return [new X509Certificate(block).toString()]
    } catch {
      return []
    }
  })
}
