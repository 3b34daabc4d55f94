import type { EffectiveSetting } from './effective-settings.ts'

/** Returns settings in the syntax of a configuration file (git-config(1), Syntax). */
export function gitConfigText(settings: readonly EffectiveSetting[]): string {
  return settings
    .map(({ key, value }) => {
      const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
      const subsection = first === last ? '' : ` "${key.slice(first + 1, last).replace(/[\\"]/g, '\\$&')}"`
      return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)}${value === null ? '' : ` = ${quoted(value)}`}\n`
    })
    .join('')
}

function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}
