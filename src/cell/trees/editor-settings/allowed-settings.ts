import type { Json, JsonObject } from './jsonc.ts'

type Check = (value: Json) => boolean

const isObject = (value: Json): value is JsonObject => value instanceof Map
const isBoolean: Check = (value) => typeof value === 'boolean'
const isCount: Check = (value) => Number.isInteger(value)
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const objectOf =
  (check: Check): Check =>
  (value) =>
    isObject(value) && [...value.values()].every(check)
/** Returns a check for an object that has only these names. */
const only =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && [...value].every(([name, inside]) => Object.hasOwn(checks, name) && checks[name]?.(inside) === true)
const all = (names: string, check: Check): Readonly<Record<string, Check>> =>
  Object.fromEntries(names.split(' ').map((each) => [each, check]))

/**
 * Names of options that start something when the folder is opened: `runOn` in `runOptions` for VS Code itself, and `auto` for extensions, in
 * tasks and in launch configurations.
 */
const startsItself = /^(?:runon|runoptions|auto(?:launch|run|start)?)$/i

/** Accepts any value in which nothing starts without the user. */
const isStartedByUser: Check = (value) => {
  if (Array.isArray(value)) return value.every(isStartedByUser)
  return !isObject(value) || [...value].every(([name, inside]) => !startsItself.test(name) && isStartedByUser(inside))
}

/** The identifier of an extension, as VS Code defines it. Something else could be the path of a local one. */
const isExtension = matching(/^[a-z0-9][a-z0-9-]*\.[a-z0-9][a-z0-9-]*$/i)

const task = only({
  ...all('label taskName type script path command args options group presentation problemMatcher', isStartedByUser),
  ...all('dependsOn dependsOrder detail hide icon isBackground promptOnClose windows linux osx', isStartedByUser),
})

/**
 * What each file in a settings directory of VS Code may contain, so that no program which reads the directory runs anything before the user
 * asks for it. Unknown files, names and values are not allowed. Settings are those that neither name nor enable a program.
 */
export const allowedFiles: ReadonlyMap<string, Check> = new Map([
  ['extensions.json', only(all('recommendations unwantedRecommendations', listOf(isExtension)))],
  ['launch.json', only(all('version configurations compounds inputs', isStartedByUser))],
  [
    'tasks.json',
    (value) =>
      isObject(value) &&
      value.has('version') &&
      only({ version: matching(/^2\.0\.0$/), tasks: listOf(task), inputs: isStartedByUser })(value),
  ],
  [
    'settings.json',
    only({
      ...all('explorer.fileNesting.enabled explorer.fileNesting.expand', isBoolean),
      'explorer.fileNesting.patterns': objectOf(matching(/^/)),
      ...all('files.exclude search.exclude', objectOf(isBoolean)),
      'files.associations': objectOf(matching(/^[\w.+-]+$/)),
      ...all('files.insertFinalNewline files.trimFinalNewlines files.trimTrailingWhitespace', isBoolean),
      'files.eol': matching(/^(?:\r?\n|auto)$/),
      ...all('editor.insertSpaces editor.detectIndentation', isBoolean),
      'editor.tabSize': isCount,
      'editor.rulers': listOf(isCount),
      'editor.wordWrap': matching(/^(?:off|on|wordWrapColumn|bounded)$/),
      'editor.quickSuggestions': (value) => isBoolean(value) || only(all('other comments strings', matching(/^(?:on|off|inline)$/)))(value),
    }),
  ],
])
