import { readFileSync } from 'node:fs'

/** The distributions whose package manager Paddock knows, with those that are derived from them. */
export type DistributionFamily = 'debian' | 'fedora' | 'arch' | 'nixos' | 'alpine'

export interface Distribution {
  readonly family: DistributionFamily | null
  /** The name for people, such as `Debian GNU/Linux 12 (bookworm)`. */
  readonly name: string
}

const families: Readonly<Record<string, DistributionFamily>> = {
  debian: 'debian',
  ubuntu: 'debian',
  fedora: 'fedora',
  rhel: 'fedora',
  centos: 'fedora',
  arch: 'arch',
  nixos: 'nixos',
  alpine: 'alpine',
}

/** Returns the distribution that a text of os-release(5) describes. */
export function parseDistribution(text: string): Distribution {
  const textOf = (key: string): string => {
    const value = new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1]?.trim() ?? ''
    return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value
  }
  const names = [textOf('ID'), ...textOf('ID_LIKE').split(/\s+/)].map((each) => each.toLowerCase())
  const known = names.find((each) => Object.hasOwn(families, each))
  return { family: known === undefined ? null : (families[known] ?? null), name: textOf('PRETTY_NAME') || textOf('ID') || 'this system' }
}

/** Returns the distribution of this machine. It is read at each call, so call it only after a failure. */
export function thisDistribution(): Distribution {
  for (const file of ['/etc/os-release', '/usr/lib/os-release']) {
    try {
      return parseDistribution(readFileSync(file, 'utf8'))
    } catch {
      // The other file is the default of the distribution (os-release(5)).
    }
  }
  return parseDistribution('')
}
