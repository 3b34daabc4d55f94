import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { requireHostProgram } from '../../system/host-program.ts'
import { spawn } from '../../system/start-program.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'

export const hostViewLeadsNowhere: Guarantee = {
  id: 'host-view-leads-nowhere',
  chapter: 'files',
  claim:
    'At L1, a cell that reads the files of the host cannot change them: what it writes in your home is lost, and sockets and FIFOs there lead nowhere.',
  mechanism:
    'Each directory of the host is an overlay (overlayfs): read-only, except for the home, whose changes are in memory. Credentials are whiteouts in it.',
  kind: 'structural',
  why: 'In an overlay, a file has an inode of its own, which no socket is bound to and no other process has open, and changes go to the upper layer.',
  fails: ['What you mount by name, and the project, are the files of the host themselves, as at L2.'],
  notAt: ['L2'],
  probe: async (bench) => {
    // In the home, because the cell sees nothing of the probes' own directories.
    const directory = await mkdtemp(path.join(bench.machine.realHome, '.paddock-verify-'))
    const [socket, fifo, file, read] = ['s', 'fifo', 'file', 'read'].map((each) => path.join(directory, each)) as [
      string,
      string,
      string,
      string,
    ]
    try {
      await writeFile(file, 'before')
      const output = openSync(read, 'w')
      const shell = requireHostProgram('sh', bench.machine.env['PATH'] ?? '', 'for a probe')
      // Opened for writing too, so that it never blocks.
      const reader = spawn(shell, ['-c', 'mkfifo "$0" && exec 3<>"$0" && exec cat <&3', fifo], { stdio: ['ignore', output, 'ignore'] })
      closeSync(output)
      using server = await bench.serve({ path: socket })
      const { result } = await bench.inside(
        async ({ fs, connect, attempt }, given) => {
          const wrote = attempt(() => {
            fs.writeFileSync(given.file, 'changed')
            fs.writeFileSync(`${given.directory}/new`, 'x')
          })
          // The other end is never open, so without O_NONBLOCK this would wait.
          const sent = attempt(() => fs.writeSync(fs.openSync(given.fifo, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK), 'leaked'))
          return { wrote, sent, connected: await connect({ path: given.socket }, 1000), seen: fs.readFileSync(given.file, 'utf8') }
        },
        { socket, fifo, file, directory },
      )
      reader.kill('SIGKILL')
      if (result.wrote !== 'ok' || result.seen !== 'changed') return broken(`the cell could not write in the home: ${result.wrote}`)
      if (server.connections() > 0 || result.connected !== 'ECONNREFUSED') return broken(`a socket of the host: ${result.connected}`)
      if (result.sent !== 'ENXIO' || readFileSync(read, 'utf8') !== '') return broken(`a FIFO of the host: ${result.sent}`)
      if (readFileSync(file, 'utf8') !== 'before') return broken('a change in the home reached the host')
      return held('a file in the home was changed and another made, both only in the cell; a socket: ECONNREFUSED; a FIFO: ENXIO')
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  },
}
