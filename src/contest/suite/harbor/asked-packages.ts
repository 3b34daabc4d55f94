import { wordsOf } from './shell-text.ts'

/** The packages that a command installs. */
export interface AskedPackages {
  readonly by: 'apt' | 'pip'
  readonly names: readonly string[]
  /** Files with requirements (`pip install -r`). */
  readonly files: readonly string[]
  /** A word that names no package that can be looked up; null: there is none. */
  readonly odd: string | null
}

/** The options of `apt-get` and `pip` whose value is the next word. */
const valued: Readonly<Record<'apt' | 'pip', ReadonlySet<string>>> = {
  apt: new Set(['-o', '-t', '-c', '-a', '--option', '--target-release', '--default-release', '--config-file', '--host-architecture']),
  pip: new Set(
    '-i --index-url --extra-index-url --default-index --index -f --find-links -c --constraint --constraints --root-user-action --timeout --retries --proxy --trusted-host --cert --client-cert --cache-dir --log --progress-bar --only-binary --no-binary --platform --python-version --implementation --abi --upgrade-strategy -p --python --index-strategy --prefix --src'.split(
      ' ',
    ),
  ),
}
const requirement = /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?(?:\[[^\]]*\])?(?:\s*(?:[=<>!~]=?=?|@).*)?(?:;.*)?$/s
const debianName = /^[a-z0-9][a-z0-9.+-]+(?::\w+)?(?:[=/].*)?$/

/** Returns the packages that a command installs with apt-get, apt, pip or `uv pip`; null: it does something else. */
export function askedPackages(command: string): AskedPackages | null {
  const [, apt] = /^(?:apt-get|apt)\s+(?:-\S+\s+)*install(?:\s+(.*))?$/s.exec(command) ?? []
  const [, pip] = /^(?:python[\d.]*\s+-m\s+)?(?:uv\s+)?pip[\d.]*\s+(?:-\S+\s+)*install(?:\s+(.*))?$/s.exec(command) ?? []
  if (apt === undefined && pip === undefined) return null
  return apt === undefined ? packagesIn('pip', wordsOf(pip ?? '')) : packagesIn('apt', wordsOf(apt))
}

/** Returns the packages that follow `install`. */
export function packagesIn(by: 'apt' | 'pip', words: readonly string[]): AskedPackages {
  const names: string[] = []
  const files: string[] = []
  let odd: string | null = null
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (/^\d?[<>]/.test(word)) at += /^\d?[<>]+&?$/.test(word) ? 1 : 0
    else if (by === 'pip' && /^(?:-r|--requirements?)$/.test(word)) {
      at += 1
      files.push(words[at] ?? '')
    } else if (by === 'pip' && /^(?:-e|--editable|-t|--target)/.test(word)) odd ??= word
    else if (word.startsWith('-')) at += valued[by].has(word) ? 1 : 0
    else if (word === '') continue
    else if (by === 'apt' ? debianName.test(word) : requirement.test(word) && !/@|^\w+:/.test(word))
      names.push(by === 'apt' ? word.replace(/[=:/].*$/s, '') : word)
    else odd ??= word
  }
  return { by, names, files, odd }
}
