import { certificateBodies, systemCertificates } from '../../system/system-certificates.ts'
import { certificateUse, certificateVariables } from './certificate-variables.ts'
import { certificatesOf, javaKeyStore, trustedIn } from './java/key-store.ts'
import type { KeyStoreFile } from './java/key-store-files.ts'
import type { MachineFacts } from './machine-facts.ts'
import type { MountWish, SyntheticFile } from './spec.ts'

/** The certificates that programs in a cell trust. No private key is included. */
export interface CellTrust {
  /** The certificate of the cell's own authority, if there is one, and the user's certificates (PEM). */
  readonly own: string
  /** The host's bundle and these certificates (PEM). */
  readonly bundle: string
  /** The paths of the host's bundle, without symbolic links. */
  readonly places: readonly string[]
  /** Java's key stores with the bundle (base64), by their paths on the host without symbolic links. */
  readonly keyStores: readonly { readonly place: string; readonly content: string }[]
}

const caFile = '/etc/paddock/ca.pem'
const bundleFile = '/etc/paddock/ca-bundle.pem'

/** Returns true for the path of a file with certificates that a cell has by itself. */
export function isCertificateFile(file: string): boolean {
  return file === caFile || file === bundleFile
}

/**
 * Returns the host's bundle with these certificates (PEM) added. If the host has no bundle, Node's own list is used.
 * @param added the certificate of the cell's authority and those of the user.
 * @param keyStoreFiles the files that Java trusts on the host. The cell's also have the authorities that only these have.
 */
export function trustOf(added: readonly string[], keyStoreFiles: readonly KeyStoreFile[] = []): CellTrust {
  const { text: found, places } = systemCertificates()
  // Loaded for the first cell that needs the list, because cells must start fast.
  const roots = found === '' ? process.getBuiltinModule('node:tls').getCACertificates('bundled').join('\n') : found
  const known = new Set(certificateBodies(roots))
  const unique = [...new Map(added.map((each) => [certificateBodies(each)[0] ?? '', `${each.trimEnd()}\n`]))]
  const more = unique.filter(([key]) => !known.has(key)).map(([, each]) => each)
  const bundle = `${roots.trimEnd()}\n${more.join('')}`
  const inBundle = keyStoreFiles.length === 0 ? [] : certificatesOf(bundle)
  const keyStores = keyStoreFiles.map(({ path: place, content }) => ({
    place,
    content: javaKeyStore([...inBundle, ...trustedIn(content)]).toString('base64'),
  }))
  return { own: unique.map(([, each]) => each).join(''), bundle, places, keyStores }
}

/** Returns the files of a cell with its trusted certificates. They are mounted over the usual places that the cell sees. */
export function trustFiles(
  trust: CellTrust | null,
  { system }: Pick<MachineFacts, 'system'>,
  mounts: readonly MountWish[],
): readonly SyntheticFile[] {
  if (trust === null) return []
  const shown = [
    ...system.paths.flatMap((each) => (each.link === null ? [{ source: each.path, target: each.path }] : [])),
    ...system.toolchains,
    ...mounts.flatMap(({ source, target = source, access }) => (access === 'ro' ? [{ source, target }] : [])),
  ]
  const targetsOf = (place: string): readonly string[] => [
    ...new Set(shown.flatMap(({ source, target }) => (place.startsWith(`${source}/`) ? [target + place.slice(source.length)] : []))),
  ]
  return [
    { target: caFile, content: trust.own },
    ...[bundleFile, ...trust.places.flatMap(targetsOf)].map((target) => ({ target, content: trust.bundle })),
    ...trust.keyStores.flatMap(({ place, content }) =>
      targetsOf(place).map((target) => ({ target, content, encoding: 'base64' as const })),
    ),
  ]
}

/**
 * Returns a cell's variables with those that name its trusted certificates. The user's values for such variables are in the trust already;
 * those that cannot name a file are removed.
 */
export function withTrust(
  env: Readonly<Record<string, string>>,
  trust: CellTrust | null,
  { bundleVariables }: Pick<MachineFacts, 'bundleVariables'>,
): Readonly<Record<string, string>> {
  if (trust === null) return env
  const found: Record<string, string> = {}
  for (const [name, use] of Object.entries(certificateVariables(bundleVariables))) found[name] = use === 'adds' ? caFile : bundleFile
  for (const [name, value] of Object.entries(env)) {
    const use = certificateUse(name, bundleVariables)
    if (use === null || value === '') found[name] ??= value
    else if (use === 'adds' || use === 'replaces') found[name] = use === 'adds' ? caFile : bundleFile
  }
  return found
}
