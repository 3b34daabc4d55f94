import type { RegistrySetting } from './registry-setting.ts'

type Found = Omit<RegistrySetting, 'from'>

/** The start of variables that Gradle reads as properties of the project. */
const prefix = 'ORG_GRADLE_PROJECT_'
/** Names of properties with a secret, and of those beside it with the user name, or with the name of the header. */
const pairs = [
  [/(?:Password|Token|ApiKey)$/, ['Username', 'User']],
  [/AuthHeaderValue$/, ['AuthHeaderName']],
  [/_(?:password|token|api_?key)$/i, ['_username', '_user', '_USERNAME', '_USER']],
] as const

/**
 * Reads gradle.properties: URLs (`@PROPERTY`), and passwords and tokens. Only the build scripts of a project say where these are used.
 * Properties of Gradle itself and of Java are left out, and so are those whose names no variable can have.
 */
export function gradleUrls(text: string): Found[] {
  const properties = new Map(propertiesIn(text).filter(([name]) => /^[A-Za-z_]\w*$/.test(name)))
  return [...properties].flatMap(([name, value]): Found[] => {
    const [end, besides] = pairs.find(([pattern]) => pattern.test(name)) ?? []
    if (end === undefined || besides === undefined) return /^https?:\/\/\S+$/i.test(value) ? [{ url: value, use: `@${prefix}${name}` }] : []
    const beside = besides.map((each) => name.replace(end, each)).find((each) => properties.has(each))
    const login = {
      id: beside === undefined ? name : `${prefix}${beside}`,
      user: beside === undefined ? '' : (properties.get(beside) ?? ''),
    }
    return [{ url: '', use: 'token', variable: `${prefix}${name}`, login }]
  })
}

/** Returns the properties of a text (java.util.Properties). */
function propertiesIn(text: string): readonly (readonly [name: string, value: string])[] {
  const lines = text
    .replaceAll(/^[ \t\f]*[#!].*$/gm, '')
    .replaceAll(/(?<=(?:^|[^\\])(?:\\\\)*)\\\r?\n[ \t\f]*/g, '')
    .split(/\r?\n/)
  return lines.flatMap((line) => {
    const [, name, value = ''] = /^\s*((?:\\.|[^\\\s=:])+)(?:\s*[=:]\s*|\s+|$)(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [[unescaped(name), unescaped(value)] as const]
  })
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([0-9A-Fa-f]{4})|(.))/g, (_, hex: string | undefined, one = '') =>
    hex === undefined ? ({ n: '\n', t: '\t', r: '\r', f: '\f' }[one as string] ?? one) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
