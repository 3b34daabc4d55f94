import { readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { readRegularBytes } from '../../../files/read-regular.ts'
import type { MachineFacts } from '../machine-facts.ts'
import type { CellSpec } from '../spec.ts'
import { isKeyStore } from './key-store.ts'

/** A file with the authorities that Javas of this machine trust. */
export interface KeyStoreFile {
  /** Its path without symbolic links. */
  readonly path: string
  readonly content: Buffer
}

/** Directories with one Java in each directory, of the system and in the user's home. */
const ofSystem = ['/usr/lib/jvm', '/usr/lib64/jvm', '/usr/java']
const inHome = ['.sdkman/candidates/java', '.local/share/mise/installs/java', '.asdf/installs/java', '.jenv/versions']
/** Files that Javas share on Debian and on Fedora. */
const shared = ['/etc/ssl/certs/java/cacerts', '/etc/pki/ca-trust/extracted/java/cacerts']
/** Relative to a Java. The second directory is that of a JDK 8. Java reads `jssecacerts` instead of `cacerts` if it exists. */
const names = ['lib/security', 'jre/lib/security'].flatMap((each) => ['cacerts', 'jssecacerts'].map((name) => path.join(each, name)))

const maxBytes = 8 * 1024 ** 2

/** Returns the files of the Javas that the system, version managers, PATH and variables such as JAVA_HOME name. */
export function keyStoreFiles(
  spec: Pick<CellSpec, 'env' | 'pathEntries'>,
  machine: Pick<MachineFacts, 'env' | 'user'>,
): readonly KeyStoreFile[] {
  // On macOS, a cell cannot have another content at a path of the host.
  if (process.platform !== 'linux') return []
  const variables = [machine.env, spec.env].flatMap((each) => Object.entries(each))
  const named = variables.flatMap(([name, value]) => (/^JAVA_HOME(_|$)/.test(name) && path.isAbsolute(value) ? [value] : []))
  const searched = [...spec.pathEntries, ...[machine.env['PATH'], spec.env['PATH']].flatMap((each) => each?.split(path.delimiter) ?? [])]
  const inPath = searched.flatMap((each) => (path.isAbsolute(each) ? javaAt(path.join(each, 'java')) : []))
  const managed = [...ofSystem, ...inHome.map((each) => path.join(machine.user.home, each))].flatMap(directoriesIn)
  const homes = new Set([...named, ...inPath, ...managed])
  const files = new Set([...shared, ...[...homes].flatMap((home) => names.map((each) => path.join(home, each)))].flatMap(realPath))
  return [...files].flatMap((file) => {
    const content = readRegularBytes(file, maxBytes)
    // The cell gets another file at this path. A Java in a project could lead to any path by a link that an earlier cell left.
    return content === null || !isKeyStore(content) ? [] : [{ path: file, content }]
  })
}

/** Returns the directory of the Java that a program belongs to; empty if there is no such program. */
function javaAt(program: string): readonly string[] {
  return realPath(program).flatMap((file) => (file.endsWith('/bin/java') ? [path.dirname(path.dirname(file))] : []))
}

function directoriesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).map((each) => path.join(directory, each))
  } catch {
    // This machine does not have it.
    return []
  }
}

function realPath(file: string): readonly string[] {
  try {
    return [realpathSync(file)]
  } catch {
    // There is no such file.
    return []
  }
}
