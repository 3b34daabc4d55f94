import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { becoming, both, everyone, isRoot, makeStage, paddock, type Stage } from '../../support/cli.ts'

async function ran(stage: Stage, ...command: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return await paddock(stage, ['run', '--ro', path.dirname(process.execPath), '--', ...command])
}

const has = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.each(everyone)('4: modes and attributes of directories, as %s', (who) => {
  it.each([
    ['cp -r', ['cp', '-r', 'src', 'copy'], '751 copy'],
    ['cp -a', ['cp', '-a', 'src', 'copy'], '751 copy'],
    ['install -d', ['install', '-d', '-m', '2775', 'copy'], '775 copy'],
    ['mkdir -m', ['mkdir', '-m', '2750', 'copy'], '750 copy'],
    ['chmod', ['chmod', '2770', 'src'], '770 src'],
    ['tar', ['sh', '-c', 'tar c src | tar xp -C out'], '751 out/src'],
    ['rsync', ['sh', '-c', 'command -v rsync >/dev/null || exec cp -a src copy; exec rsync -a src/ copy/'], '751 copy'],
    [
      'a daemon',
      ['sh', '-c', '(setsid sh -c "sleep 0.2; chmod 2770 src; touch out/a" &); until [ -e out/a ]; do sleep 0.1; done'],
      '770 src',
    ],
    ['fs.cpSync', [process.execPath, '-e', 'fs.cpSync("src", "copy", { recursive: true, preserveTimestamps: true })'], null],
    ['fchmod', ['python3', '-c', 'import os; os.fchmod(os.open("src", os.O_RDONLY), 0o2770)'], '770 src'],
    ['fchmodat', ['python3', '-c', 'import os; os.chmod("src", 0o2770, dir_fd=os.open(".", os.O_RDONLY))'], '770 src'],
    ['shutil.copytree', ['python3', '-c', 'import shutil; shutil.copytree("src", "copy")'], '751 copy'],
    ['git init --shared', ['git', 'init', '-q', '--shared=group', 'out/repository'], '775 out/repository/.git'],
  ])('%s works where directories give their group on, and sets the other bits', async (_name, command, made) => {
    using stage = makeStage(who)
    stage.put('src/a', '1\n')
    mkdirSync(path.join(stage.project, 'out'))
    stage.own()
    chmodSync(path.join(stage.project, 'src'), 0o751)
    execFileSync('chmod', ['-R', 'g+s', stage.project])
    const { code, stderr } = await ran(stage, ...command)
    expect([code, stderr.replace(/^paddock: .*\n/gm, '')]).toEqual([0, ''])
    const [mode = '', file = 'copy/a'] = made?.split(' ') ?? []
    expect(existsSync(path.join(stage.project, file))).toBe(true)
    if (made !== null) expect((lstatSync(path.join(stage.project, file)).mode & 0o777).toString(8)).toBe(mode)
  })

  it('variables of Perl reach the command, and not the init', async () => {
    using stage = makeStage(who)
    stage.own()
    const script = '(true &); sleep 0.3; echo $PERL_UNICODE; exit 3'
    const ran = await paddock(stage, ['run', '--env', 'PERL_UNICODE=SDA', '--', 'sh', '-c', script])
    expect([ran.code, ran.stdout]).toEqual([3, 'SDA\n'])
  })

  it('a file of /etc that the user names is shown', async () => {
    using stage = makeStage(who)
    stage.own()
    const ran = await paddock(stage, ['run', '--ro', '/etc/passwd', '--', 'cat', '/etc/passwd'])
    expect(ran.stdout).toBe(readFileSync('/etc/passwd', 'utf8'))
  })

  it('a chmod with the set-group-ID bit fails as outside', async () => {
    using stage = makeStage(who)
    const tries = `import os
for each in "none", "", "/usr", 99:
  try: os.chmod(each, 0o2755)
  except OSError as error: print(error.errno)`
    expect((await ran(stage, 'python3', '-c', tries)).stdout).toBe('2\n2\n30\n9\n')
  })

  it('the command has the variables of the loader, and the init has not', async () => {
    using stage = makeStage(who)
    const script = 'echo $LD_LIBRARY_PATH; tr "\\0" "\\n" < /proc/1/environ | grep -c ^LD_; kill -TERM $$'
    const { code, stdout } = await paddock(stage, ['run', '--quiet', '--env', 'LD_LIBRARY_PATH=/tmp', '--', 'sh', '-c', script])
    expect([code, stdout]).toEqual([143, '/tmp\n0\n'])
  })

  it('files have no extended attributes, and no file gets the bits of set-ID', async () => {
    using stage = makeStage(who)
    stage.put('a', '1\n')
    stage.own()
    const set = `import os
for each in os.setxattr, os.getxattr, os.removexattr:
  try: each("a", "user.x", *([b"1"] if each == os.setxattr else []))
  except OSError as error: print(error.errno)
os.chmod("a", 0o2755); print(os.listxattr("a"), oct(os.stat("a").st_mode & 0o6000))`
    expect((await ran(stage, 'python3', '-c', set)).stdout).toBe('95\n61\n61\n[] 0o0\n')
    const { code, stderr } = await ran(stage, 'chmod', 'u+s', 'a')
    expect([code, stderr]).toEqual([1, expect.stringContaining('Operation not permitted')])
    expect(lstatSync(path.join(stage.project, 'a')).mode & 0o6000).toBe(0)
  })

  it.each([
    ['sed -i', 'sed -i s/1/2/ d/a; cp -r d copy'],
    ['cp -p', 'cp -rp d copy'],
    ['cp -a', 'cp -a d copy'],
    ['mv to another mount', 'mv d /tmp/d; mv /tmp/d copy'],
    ['tar', 'mkdir copy; tar -c --acls --xattrs -C d . | tar -xp -C copy'],
    ['copytree of Python', "python3 -c \"import shutil; shutil.copytree('d', 'copy')\""],
  ])('%s keeps modes', async (_, script) => {
    using stage = makeStage(who)
    stage.put('d/a', '1\n')
    stage.own()
    chmodSync(path.join(stage.project, 'd/a'), 0o640)
    chmodSync(path.join(stage.project, 'd'), 0o751)
    const { code, stderr } = await ran(stage, 'sh', '-ec', script)
    expect([code, stderr.replace(/^paddock: .*\n/gm, '')]).toEqual([0, ''])
    const modes = ['copy', 'copy/a'].map((each) => (lstatSync(path.join(stage.project, each)).mode & 0o7777).toString(8))
    expect(modes).toEqual(['751', '640'])
  })

  it('cp -a works where directories give an access list on', async ({ skip }) => {
    skip(!has('setfacl'), 'needs acl')
    using stage = makeStage(who)
    stage.put('src/a', '1\n')
    stage.own()
    execFileSync('setfacl', ['-R', '-d', '-m', 'g:12345:rwx', stage.project])
    execFileSync('setfacl', ['-R', '-m', 'g:12345:rwx', stage.project])
    const { code, stderr } = await ran(stage, 'cp', '-a', 'src', 'copy')
    expect([code, stderr.replace(/^paddock: .*\n/gm, '')]).toEqual([0, ''])
  })
})

describe.each(everyone)('6: directories of PATH, as %s', (who) => {
  const inPath = (stage: Stage, directory: string): Record<string, string> => ({
    PATH: `${path.join(stage.home, directory)}:${stage.env['PATH']}`,
  })

  it.each([
    'miniconda3/bin',
    '.opam/default/bin',
    '.dotnet/tools',
    '.local/share/pnpm',
    '.juliaup/bin',
    '.ghcup/bin',
    '.pixi/bin',
    '.yarn/bin',
    'n/bin',
    '.npm-global/bin',
    'bin',
    '.unknown/shims',
  ])('a program in ~/%s runs in a cell, which does not change it on the host', async (directory) => {
    using stage = makeStage(who)
    const bin = path.join(stage.home, directory)
    mkdirSync(bin, { recursive: true })
    writeFileSync(path.join(bin, 'own-tool'), '#!/bin/sh\necho mine\n', { mode: 0o755 })
    stage.own()
    const env = inPath(stage, directory)
    expect((await paddock(stage, ['run', '--', 'own-tool'], { env })).stdout).toBe('mine\n')
    const changed = await paddock(stage, ['run', '--', 'sh', '-c', `echo echo bad > ${bin}/own-tool; own-tool`], { env })
    expect(changed.stdout).toBe('bad\n')
    expect(readFileSync(path.join(bin, 'own-tool'), 'utf8')).toContain('mine')
  })

  it('a program that is a link into another directory of the home is the only file of it in the cell', async () => {
    using stage = makeStage(who)
    mkdirSync(path.join(stage.home, 'dotfiles/bin'), { recursive: true })
    mkdirSync(path.join(stage.home, '.local/bin'), { recursive: true })
    writeFileSync(path.join(stage.home, 'dotfiles/bin/tool'), '#!/bin/sh\necho mine\n', { mode: 0o755 })
    writeFileSync(path.join(stage.home, 'dotfiles/token'), 'secret')
    symlinkSync('../../dotfiles/bin/tool', path.join(stage.home, '.local/bin/tool'))
    stage.own()
    const { stdout } = await paddock(stage, ['run', '--', 'sh', '-c', 'tool; ls ~/dotfiles ~/dotfiles/bin'], {
      env: inPath(stage, '.local/bin'),
    })
    expect(stdout.split('\n').filter((each) => each !== '' && !each.endsWith(':'))).toEqual(['mine', 'bin', 'tool'])
  })

  it.each([
    ['a link to a program', 'ln -s ../../dots/bin/tool ../.local/bin/tool', '.local/bin', 'rm -f bin/tool; ln -s $HOME/secret bin/tool'],
    ['a link to a directory', 'ln -s dots/bin ../bin', 'bin', 'mv bin old; ln -s $HOME bin'],
    ['a virtual environment', 'true', 'dots/bin', 'touch pyvenv.cfg; mkdir -p lib; ln -s $HOME/secret lib/secret'],
  ])('nothing is shown from %s that a cell could write to', async (_name, outside, directory, inside) => {
    using stage = makeStage(who)
    const dots = path.join(stage.home, 'dots')
    for (const each of ['dots/bin', '.local/bin']) mkdirSync(path.join(stage.home, each), { recursive: true })
    writeFileSync(path.join(dots, 'bin/tool'), '#!/bin/sh\necho mine\n', { mode: 0o755 })
    writeFileSync(path.join(stage.home, 'secret'), 'SECRET', { mode: 0o700 })
    execFileSync('sh', ['-c', outside], { cwd: dots })
    stage.own()
    const env = inPath(stage, directory)
    expect((await paddock(stage, ['run', '--', 'sh', '-c', inside], { env, cwd: dots })).code).toBe(0)
    const look = `cat ${dots}/bin/tool ${dots}/bin/secret ~/bin/secret ${dots}/lib/secret; ls ${dots}; tool`
    expect((await paddock(stage, ['run', '--', 'sh', '-c', `${look}; true`], { env })).stdout).toBe('')
  })

  it('a program that the cell does not have is named with the option, and its directory in the plan', async () => {
    using stage = makeStage(who)
    const bin = path.join(stage.home, 'elsewhere')
    mkdirSync(bin)
    writeFileSync(path.join(bin, 'own-tool'), '#!/bin/sh\necho mine\n', { mode: 0o755 })
    stage.own()
    const env = inPath(stage, 'elsewhere')
    const { code, stderr } = await paddock(stage, ['run', '--', 'own-tool'], { env })
    expect([code, stderr]).toEqual([
      127,
      expect.stringContaining(`own-tool is ${bin}/own-tool on this machine, which the cell does not have: --ro ${bin}`),
    ])
    expect((await paddock(stage, ['run', '--ro', bin, '--', 'own-tool'], { env })).stdout).toBe('mine\n')
    expect((await paddock(stage, ['run', '--dry-run', '--', 'true'], { env })).stdout).toContain(`  ${bin}\n`)
  })

  it('16: a directory of a toolchain that cannot be searched is left out', async () => {
    using stage = makeStage(who)
    mkdirSync(path.join(stage.home, '.sdkman/candidates'), { recursive: true })
    stage.own()
    if (isRoot) execFileSync('chown', ['0:0', path.join(stage.home, '.sdkman')])
    chmodSync(path.join(stage.home, '.sdkman'), 0o700)
    expect((await ran(stage, 'true')).code).toBe(0)
  })
})

describe.each(everyone)('programs of the system, as %s', (who) => {
  it.each([
    ['9: the address sanitizer', '-fsanitize=address'],
    ['9: the leak sanitizer', '-fsanitize=leak'],
    ['9: the undefined behaviour sanitizer', '-fsanitize=undefined'],
    ['9: the thread sanitizer', '-fsanitize=thread'],
  ])('%s', async (_name, flag) => {
    using stage = makeStage(who)
    stage.put('a.c', 'int main(void) { return 0; }\n')
    stage.own()
    const { code, stderr } = await ran(stage, 'sh', '-c', `gcc ${flag} a.c -o a && ./a`)
    expect([code, stderr.replace(/^paddock: .*\n/gm, '')]).toEqual([0, ''])
  })

  it('9: strace follows its child, and nothing traces the init', async ({ skip }) => {
    skip(!has('strace'), 'needs strace')
    using stage = makeStage(who)
    const { code, stderr } = await ran(stage, 'strace', '-f', '-e', 'trace=execve', 'true')
    expect([code, stderr]).toEqual([0, expect.stringContaining('exited with 0')])
    expect((await ran(stage, 'strace', '-p', '1')).stderr).toContain('Operation not permitted')
  })

  it('5: programs print the same as outside if their data is in /var', async () => {
    using stage = makeStage(who)
    stage.put('a.xml', '<!DOCTYPE a SYSTEM "http://www.w3.org/2001/xml.xsd"><a/>')
    stage.own()
    // Only what is installed counts, but no machine of these tests has nothing of it.
    const commands = [
      'ghc-pkg list --global --simple-output', // /var/lib/ghc
      'kpsewhich updmap.cfg texmf.cnf language.dat', // /var/lib/texmf
      'cat $(kpsewhich language.dat)',
      'xmlcatalog /etc/xml/catalog "-//OASIS//DTD DocBook XML V4.5//EN"', // /var/lib/xml-core
      'cat $(readlink -f /etc/sgml/catalog)', // /var/lib/sgml-base
      'gs -q -dNODISPLAY -dBATCH -c "(Adobe-Japan1-0) /CMap resourcestatus ==" -c quit', // /var/lib/ghostscript
      'gem list --local', // /var/lib/gems
      'apropos -e printf', // /var/cache/man
      'update-alternatives --query awk', // /var/lib/dpkg/alternatives
      'fc-match serif', // /var/cache/fontconfig
      'aspell dump dicts', // /var/lib/aspell
    ].filter((each) => has(each.replace(/^cat \$\(/, '').split(' ')[0] ?? ''))
    const script = commands.map((each) => `echo '# ${each}'; ${each} </dev/null`).join('\n')
    const [program = '', ...rest] = [...becoming(who), 'sh', '-c', script]
    const outside = spawnSync(program, rest, { cwd: stage.project, env: stage.env, encoding: 'utf8' })
    expect(commands.length).toBeGreaterThan(0)
    expect((await ran(stage, 'sh', '-c', script)).stdout).toBe(outside.stdout)
  })

  it.each([
    ['the home', '.terminfo', () => ({})],
    ['TERMINFO', 'own', (at: string) => ({ TERMINFO: at })],
    ['TERMINFO_DIRS', 'own', (at: string) => ({ TERMINFO_DIRS: `${at}:` })],
  ])('13: a description of the terminal in %s', async (_, place, env) => {
    using stage = makeStage(who)
    const source = execFileSync('infocmp', ['xterm'], { encoding: 'utf8' }).replace(/^xterm\|/m, 'xterm-mine|')
    const at = path.join(stage.home, place)
    execFileSync('tic', ['-x', '-o', at, '-'], { input: source, stdio: ['pipe', 'ignore', 'ignore'] })
    stage.own()
    const { stdout } = await paddock(stage, ['run', '--', 'tput', 'colors'], { env: { TERM: 'xterm-mine', ...env(at) } })
    expect(stdout).toBe('8\n')
  })

  it('17: fakeroot changes owners', async ({ skip }) => {
    skip(!has('fakeroot'), 'needs fakeroot')
    using stage = makeStage(who)
    const { code, stdout } = await ran(stage, 'fakeroot', 'sh', '-c', 'mkdir r; chown root:root r; stat -c %U r')
    expect([code, stdout]).toEqual([0, 'root\n'])
  })
})

it.each(both)('15: a cell starts under any umask, which its programs get, as %s', async (who) => {
  using stage = makeStage(who)
  const before = process.umask(0o077)
  try {
    expect((await ran(stage, 'sh', '-c', 'umask; touch a; stat -c %a a')).stdout).toBe('0077\n600\n')
  } finally {
    process.umask(before)
  }
})
