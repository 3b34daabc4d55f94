import { broken, type Guarantee, held } from '../guarantee.ts'

export const environmentScrubbed: Guarantee = {
  id: 'environment-scrubbed',
  chapter: 'environment',
  claim: 'A cell sees none of your environment variables except a short list of harmless ones and those that you or a preset name.',
  mechanism:
    'bwrap --clearenv, then only TERM, TERMINFO, TERMINFO_DIRS, COLORTERM, LANG, LANGUAGE, LC_*, TZ, NO_COLOR, FORCE_COLOR, the four variables of your identity in git, values of Paddock (PATH, HOME and the like, and the names of its files with certificates), and the variables that a preset or you name.',
  kind: 'structural',
  why: 'The environment is built from nothing rather than filtered. Only variables in the plan are passed on, and the cell sees no host process whose environment it could read.',
  fails: [
    'A variable that you name with --env contains a secret.',
    'A variable on the short list contains a secret: one in LANG would be passed on.',
  ],
  probe: async (bench) => {
    const { name, value } = bench.canary
    const { result } = await bench.inside(({ fs, env }) => {
      const all: string[] = []
      for (const each of fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
        try {
          all.push(...fs.readFileSync(`/proc/${each}/environ`, 'latin1').split('\0'))
        } catch {
          // The process is gone or may not be read.
        }
      }
      return { own: Object.keys(env), given: { ...env }, all }
    }, null)
    const leaked = result.all.filter((each) => each.includes(value))
    if (leaked.length > 0) return broken(`a variable of the host was found in the cell: ${name}`)
    const allowed =
      /^(PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|FAKEROOTDONTTRYCHOWN|GOFLAGS|TERMINFO|TERMINFO_DIRS|PWD|OLDPWD|SHLVL|_|TERM|COLORTERM|LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR)$/
    // Paddock's own files, in which certificates are that the user trusts.
    const isOwnFile = (name: string): boolean => /^\/etc\/paddock\/ca(?:-bundle)?\.pem$/.test(result.given[name] ?? '')
    const extra = result.own.filter((each) => !allowed.test(each) && !isOwnFile(each))
    if (extra.length > 0) return broken(`variables that nobody named: ${extra.join(', ')}`)
    if (!result.own.includes('PATH')) return broken('the probe saw no environment at all')
    return held(
      `a canary in Paddock's own environment was not found; the cell has ${result.own.length} variables: ${result.own.sort().join(', ')}`,
    )
  },
}
