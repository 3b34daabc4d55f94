import type { GitSetting } from './git-settings.ts'

/** Returns settings (`KEY=VALUE`) that keep git from running any of the repository's own programs, except filters (git-config(1)). */
export function quietSettings(settings: readonly GitSetting[]): readonly string[] {
  const named = new Set(settings.filter((each) => each.section === 'hook' && each.subsection !== '').map((each) => each.subsection))
  return [
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'gc.auto=0',
    'maintenance.auto=false',
    'diff.external=',
    ...[...named].filter((each) => !each.includes('=')).map((each) => `hook.${each}.enabled=false`),
  ]
}
