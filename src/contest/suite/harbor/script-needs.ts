import { askedPackages, packagesIn } from './asked-packages.ts'
import { commandsIn, linesOf, wordsOf } from './shell-text.ts'

/** What a script of a task expects of the machine, because it would fetch it. */
export interface ScriptNeeds {
  readonly apt: readonly string[]
  readonly pip: readonly string[]
  /** Versions of python3, such as 3.13. */
  readonly pythons: readonly string[]
  /** The programs that fetch packages, which `offline-program.sh` replaces. */
  readonly fetching: readonly string[]
  /** The reasons why the script cannot run without a network. */
  readonly reasons: readonly string[]
}

/** The most characters of a script that are read. */
const mostText = 256 * 1024
const leading = /^(?:if|then|else|elif|while|until|do|!|time|sudo|exec|env|nohup|\(|\{|[A-Za-z_]\w*=.*)$/s
/** The options of `uv run` and `uvx` whose value is the next word. */
const valuedOptions = new Set(
  '--python -p --index-url --index --default-index -i --extra-index-url --project --directory --env-file --extra --group --constraints -c --cache-dir --config-file --color --prerelease --resolution --link-mode --exclude-newer'.split(
    ' ',
  ),
)
const installerOfUv = /^https?:\/\/(?:astral\.sh\/uv\/|github\.com\/astral-sh\/uv\/)/
const loopback = /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)(?=[:/?#]|$)/

/**
 * Returns what a script needs, without running it. `name`: the script's name in reasons. `read`: returns the text of a file in /tests; null:
 * it does not exist.
 */
export function scriptNeeds(name: string, text: string, read: (file: string) => string | null): ScriptNeeds {
  const apt: string[] = []
  const pip: string[] = []
  const pythons: string[] = []
  const fetching = new Set<string>()
  const reasons: string[] = []
  for (const line of linesOf(text.slice(0, mostText))) {
    const why = (reason: string): void => void reasons.push(`${name}, line ${line.number}: ${reason}`)
    const install = (by: 'apt' | 'pip', words: readonly string[]): void => {
      const asked = packagesIn(by, words)
      ;(by === 'apt' ? apt : pip).push(...asked.names)
      if (asked.odd !== null) why(`it installs ${asked.odd}, which is not looked up`)
      for (const file of asked.files) {
        const listed = read(file)
        if (listed === null) why(`it installs -r ${file}, which is not looked up`)
        else pip.push(...packagesIn('pip', requirementsIn(listed)).names)
      }
    }
    for (const { text: command } of commandsIn(line)) {
      const all = wordsOf(command)
      const first = all.findIndex((each) => !leading.test(each))
      const words = first === -1 ? [] : all.slice(first)
      const [program = '', second, third] = words
      if (program === 'uv' || program === 'uvx')
        pythons.push(
          ...words.flatMap((each, at) => (['-p', '--python'].includes(words[at - 1] ?? '') && /^\d+\.\d+$/.test(each) ? [each] : [])),
        )
      const asked = askedPackages(words.join(' '))
      if (asked !== null) {
        fetching.add(program)
        install(asked.by, words.slice(words.indexOf('install') + 1))
      } else if (program === 'apt' || program === 'apt-get') fetching.add(program)
      else if (program === 'uvx' || (program === 'uv' && (second === 'run' || (second === 'tool' && third === 'run')))) {
        fetching.add(program)
        const ran = program === 'uvx' ? 1 : second === 'run' ? 2 : 3
        install('pip', packagesOfTool(words.slice(ran), second === 'run' ? 'run' : 'tool'))
      } else if (program === 'uv') {
        fetching.add(program)
        if (second === 'add') install('pip', words.slice(2))
        else if (second === 'sync' || second === 'export' || second === 'build')
          why(`uv ${second} needs a network, which ${owner(name)} not have`)
      } else if (program === 'curl' || program === 'wget') {
        const urls = words.filter((each) => /^https?:\/\//.test(each))
        if (urls.some((each) => installerOfUv.test(each))) fetching.add(program)
        else if (urls.some((each) => !loopback.test(each))) why(`${program} needs a network, which ${owner(name)} not have`)
      } else if (program === 'pytest' || (/^python[\d.]*$/.test(program) && second === '-m' && third === 'pytest')) {
        pip.push('pytest')
        if (program === 'pytest') fetching.add('pytest')
      } else {
        const [fetches] =
          /^(?:npm (?:ci|install|i)|npx|git clone \S*:|cargo (?:install|add|fetch)|go (?:get|install)|gem install|(?:apk|yum|dnf) \S+)/.exec(
            words.join(' '),
          ) ?? []
        if (fetches !== undefined) why(`${fetches.replace(/ \S*:$/, '')} needs a network, which ${owner(name)} not have`)
      }
    }
  }
  return { apt, pip, pythons, fetching: [...fetching], reasons }
}

function owner(name: string): string {
  return name.startsWith('tests/') ? 'checks do' : 'its cell does'
}

/** Returns the packages that `uv run` and `uvx` install: those of --with, and that of the tool itself. */
function packagesOfTool(words: readonly string[], kind: 'run' | 'tool'): string[] {
  const found: string[] = []
  let from: string | null = null
  let at = 0
  for (; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const [, name, value] = /^(--with|--from)=(.*)$/s.exec(word) ?? /^(-w)(.+)$/s.exec(word) ?? []
    const given = value ?? (['--with', '-w', '--from'].includes(word) ? words[at + 1] : undefined)
    if (given !== undefined) {
      if (value === undefined) at += 1
      if ((name ?? word) === '--from') from = given
      else found.push(...given.split(/,(?![<>=!~])/))
    } else if (word === '--') {
      at += 1
      break
    } else if (!word.startsWith('-') || word === '-' || word === '-m') break
    else if (valuedOptions.has(word)) at += 1
  }
  const tool = words[at]
  if (kind === 'tool' && tool !== undefined) found.push(from ?? tool.replace(/@latest$/, '').replace('@', '=='))
  else if (tool === 'pytest') found.push('pytest')
  return found
}

function requirementsIn(text: string): string[] {
  return text.split(/\r?\n/).flatMap((each) => {
    const line = each.replace(/(?:^|\s)#.*$/, '').trim()
    return line === '' || line.startsWith('-') ? [] : [line.replace(/\s+/g, '')]
  })
}
