import type { Remedy } from '../../base/fixable-error.ts'
import { shellWord } from '../../base/shell-word.ts'
import type { DistributionFamily } from '../../system/distribution.ts'
import { installCommand, packageOf } from '../../system/packages.ts'

/** The changes of this machine that its checks ask for. */
export interface FixPlan {
  /** Commands that root runs, as words. */
  readonly commands: readonly (readonly string[])[]
  /** What only the user can do, one sentence without a period each. */
  readonly byHand: readonly string[]
}

export interface FixFacts {
  readonly family: DistributionFamily | null
  /** False: apt has no lists of packages yet, as in new systems and containers. */
  readonly hasPackageLists: boolean
}

/** Loads the AppArmor profile of Paddock's Debian package. */
const profileScript = '/usr/share/paddock/apparmor/install.sh'
const unitDirectory = '/etc/systemd/system/user@.service.d'

/** Returns what fixes these problems on such a system. All packages are installed by one command. Pure. */
export function fixPlan(remedies: readonly Remedy[], facts: FixFacts): FixPlan {
  const programs = remedies.flatMap((each) => (each.kind === 'program' ? [each.name] : []))
  const others = remedies.filter((each) => each.kind !== 'program')
  const unique = [...new Map(others.map((each) => [JSON.stringify(each), each])).values()]
  const parts = [...(programs.length === 0 ? [] : [packages(programs, facts)]), ...unique.map((each) => partOf(each, facts))]
  return { commands: parts.flatMap((each) => each.commands ?? []), byHand: parts.flatMap((each) => each.byHand ?? []) }
}

function packages(programs: readonly string[], { family, hasPackageLists }: FixFacts): Partial<FixPlan> {
  const install = installCommand(programs, family, false)
  if (install !== null) return { commands: family === 'debian' && !hasPackageLists ? [['apt-get', 'update'], install] : [install] }
  const names = [...new Set(programs.map((each) => packageOf(each, family)))]
  if (family !== 'nixos') return { byHand: [`Install these packages: ${names.join(' ')}`] }
  return { byHand: [onNix(`environment.systemPackages = with pkgs; [ ${names.join(' ')} ];`)] }
}

const onNix = (line: string): string => `Add to configuration.nix: ${line} Then run: sudo nixos-rebuild switch`

/** Files of root are written by a shell, so that each command can be pasted as it is shown. */
const write = (file: string, text: string): readonly string[] => ['sh', '-c', `printf '%s\\n' ${text} > ${file}`]

function partOf(remedy: Exclude<Remedy, { readonly kind: 'program' }>, { family }: FixFacts): Partial<FixPlan> {
  const isNix = family === 'nixos'
  switch (remedy.kind) {
    case 'sysctl': {
      const { name, value } = remedy
      if (isNix) return { byHand: [onNix(`boot.kernel.sysctl."${name}" = ${value};`)] }
      const file = `/etc/sysctl.d/60-paddock-${name.split('.').at(-1)}.conf`
      return { commands: [write(file, `${name}=${value}`), ['sysctl', '-w', `${name}=${value}`]] }
    }
    case 'apparmor':
      return { commands: [['sh', profileScript]] }
    case 'module':
      if (isNix) return { byHand: [onNix(`boot.kernelModules = [ "${remedy.name}" ];`)] }
      return { commands: [['modprobe', remedy.name], write('/etc/modules-load.d/paddock.conf', remedy.name)] }
    case 'device':
      return { commands: [['chmod', '0666', remedy.file]] }
    case 'delegate':
      if (isNix) return { byHand: [onNix('systemd.services."user@".serviceConfig.Delegate = "cpu cpuset io memory pids";')] }
      return {
        commands: [
          ['mkdir', '-p', unitDirectory],
          write(`${unitDirectory}/60-paddock.conf`, "'[Service]' 'Delegate=cpu cpuset io memory pids'"),
          ['systemctl', 'daemon-reload'],
        ],
        byHand: ['Log in again, so that systemd delegates control groups to your session'],
      }
    case 'linger':
      return { commands: [['loginctl', 'enable-linger', remedy.user]], byHand: ['Log in again, so that you have a systemd session'] }
  }
}

/** Returns a command line that can be pasted into a shell. `sudo`: starts it with sudo(8). */
export function commandLine(words: readonly string[], sudo: boolean): string {
  return [...(sudo ? ['sudo'] : []), ...words].map(shellWord).join(' ')
}
