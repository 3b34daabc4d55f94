// Prints the seccomp profile for containers in which cells are built: the one that Podman uses by default, from Debian's package
// golang-github-containers-common, and in it the calls that build cells and need no capability of the container.
import { readFileSync } from 'node:fs'

/** Podman permits mounts and namespaces, which the kernel then checks, but not the name of a new UTS namespace. */
const more = ['sethostname']

interface Profile {
  readonly syscalls: readonly Rule[]
}

interface Rule {
  readonly names: readonly string[]
  readonly action: string
  readonly args?: readonly unknown[]
  readonly includes?: unknown
  readonly excludes?: unknown
}

const profile = JSON.parse(readFileSync('/usr/share/containers/seccomp.json', 'utf8')) as Profile
const allowed: Rule = { names: more, action: 'SCMP_ACT_ALLOW', args: [], includes: {}, excludes: {} }
const without = profile.syscalls.map((rule) =>
  rule.action === 'SCMP_ACT_ALLOW' ? rule : { ...rule, names: rule.names.filter((each) => !more.includes(each)) },
)
process.stdout.write(
  `${JSON.stringify({ ...profile, syscalls: [...without.filter(({ names }) => names.length > 0), allowed] }, null, 2)}\n`,
)
