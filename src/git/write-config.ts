import type { EffectiveSetting } from './effective-settings.ts'

/** Returns settings in the syntax of a configuration file (git-config(1), Syntax). Consecutive settings of one section share its header. */
export function gitConfigText(settings: readonly EffectiveSetting[]): string {
  let last = ''
  return settings
    .map(({ key, value }) => {
      const [first, end] = [key.indexOf('.'), key.lastIndexOf('.')]
      const subsection = first === end ? '' : ` "${key.slice(first + 1, end).replace(/[\\"]/g, '\\$&')}"`
      const header = `[${key.slice(0, first)}${subsection}]\n`
      const text = `${header === last ? '' : header}\t${key.slice(end + 1)}${value === null ? '' : ` = ${quoted(value)}`}\n`
      last = header
      return text
    })
    .join('')
}

function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}
