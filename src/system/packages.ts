import { rootHint } from './as-root.ts'
import { type DistributionFamily, thisDistribution } from './distribution.ts'

/** The package of each program: its name on every distribution, or the names where they differ. */
const packages: Readonly<Record<string, string | Partial<Record<DistributionFamily | 'other', string>>>> = {
  bwrap: 'bubblewrap',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  prlimit: 'util-linux',
  setsid: 'util-linux',
  ssh: { debian: 'openssh-client', arch: 'openssh', fedora: 'openssh-clients', other: 'openssh' },
  setpriv: 'util-linux',
  mkfifo: 'coreutils',
  perl: { debian: 'perl-base', other: 'perl' },
  pasta: 'passt',
  nft: 'nftables',
  'secret-tool': { debian: 'libsecret-tools', nixos: 'libsecret', other: 'libsecret' },
}

/** The command that installs packages, without their names. On NixOS, packages are added to the configuration. */
const installers: Partial<Record<DistributionFamily, readonly string[]>> = {
  debian: ['apt-get', 'install'],
  fedora: ['dnf', 'install'],
  arch: ['pacman', '-S', '--needed'],
  alpine: ['apk', 'add'],
}

/** The option with which a package manager asks nothing. */
const silent: Partial<Record<DistributionFamily, readonly string[]>> = {
  debian: ['--yes'],
  fedora: ['--assumeyes'],
  arch: ['--noconfirm'],
}

/** Returns the name of the package that has a program. */
export function packageOf(program: string, family: DistributionFamily | null): string {
  const found = packages[program] ?? program
  return typeof found === 'string' ? found : ((family === null ? undefined : found[family]) ?? found.other ?? program)
}

/** Returns the command that installs the packages of these programs; null: the distribution has no such command. `asks`: it may ask. */
export function installCommand(programs: readonly string[], family: DistributionFamily | null, asks: boolean): readonly string[] | null {
  const installer = family === null ? undefined : installers[family]
  if (family === null || installer === undefined) return null
  return [...installer, ...(asks ? [] : (silent[family] ?? [])), ...new Set(programs.map((each) => packageOf(each, family)))]
}

/** Returns the hint for a program that is not installed on this machine. */
export function installHint(program: string): string {
  const { family } = thisDistribution()
  const command = installCommand([program], family, true)
  if (command !== null) return rootHint(command.join(' '))
  const name = packageOf(program, family)
  return family === 'nixos' ? `Add to configuration.nix: environment.systemPackages = [ pkgs.${name} ]` : `Install the package ${name}`
}
