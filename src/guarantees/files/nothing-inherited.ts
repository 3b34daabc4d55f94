import { broken, type Guarantee, held } from '../guarantee.ts'
import { collect } from '../probe/bench.ts'

export const nothingInherited: Guarantee = {
  id: 'nothing-inherited',
  chapter: 'files',
  claim: 'A cell inherits only its own three standard streams, and no other descriptor that Paddock or its parent has open.',
  mechanism: 'Every other descriptor is closed on exec, or is /dev/null in the child.',
  kind: 'structural',
  why: 'An open descriptor grants access (openat(2) in a directory, a terminal, a socket), and a process has only those that it was given.',
  fails: ['You pass a descriptor to the agent yourself: standard input from a file is copied, a pipe is passed on.'],
  probe: async (bench) => {
    // The cell's terminal is a descriptor in Paddock that is not closed on exec.
    const other = await bench.start(['/bin/sh', '-c', 'read _'], { terminal: true }, { stdin: 'pipe', size: { columns: 80, rows: 24 } })
    const ended = collect(other)
    try {
      const { stdout } = await bench.run(['/bin/sh', '-c', 'ls -l /proc/$$/fd; true'])
      const open = [...stdout.matchAll(/ (\d+) -> (.*)/g)].map(([, fd = '', to = '']) => [Number(fd), to] as const)
      if (open.length < 3) return broken(`the probe saw ${open.length} descriptors: ${stdout.trim()}`)
      const odd = open.filter(([fd, to]) => to !== '/dev/null' && (fd > 2 || !/^(pipe:\[\d+\]|.*\/(pipe-\d|stdin) \(deleted\))$/.test(to)))
      if (odd.length > 0) return broken(`inherited: ${odd.map((each) => each.join(' is ')).join(', ')}`)
      return held(
        `3 standard streams and ${open.length - 3} × /dev/null, in place of what Paddock has open: the terminal of another cell, and what its parent left`,
      )
    } finally {
      other.stop('cancelled')
      await ended
    }
  },
}
