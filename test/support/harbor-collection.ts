import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** A task of a made collection. */
export interface MadeTask {
  readonly name: string
  /** What the task has that may keep it from running here. */
  readonly kinds: readonly string[]
  readonly files: Readonly<Record<string, string>>
}

/** The parts of a task that one of its kinds changes. */
interface Parts {
  workdir: string
  docker: string[]
  /** Where the answer belongs. */
  answer: string
  /** Where the numbers are that it is made from. */
  numbers: string
  test: (check: string) => string
  hasDockerfile: boolean
}

const reward = 'if [ $? -eq 0 ]; then\n  echo 1 > /logs/verifier/reward.txt\nelse\n  echo 0 > /logs/verifier/reward.txt\nfi\n'
const inHome = (parts: Parts, directory: string): void => {
  parts.docker.push(`COPY numbers.txt ${directory}/`)
  parts.numbers = `${directory}/numbers.txt`
  parts.answer = `${directory}/answer.txt`
}

const changes: Readonly<Record<string, (parts: Parts) => void>> = {
  plain: () => {},
  python: ({ docker }) => docker.push('RUN pip install --no-cache-dir paddock-absent-library==1.2'),
  debian: ({ docker }) => docker.push('RUN apt-get install -y --no-install-recommends paddock-absent-tool && rm -rf /var/lib/apt/lists/*'),
  home: (parts) => {
    parts.workdir = '/home/user'
    inHome(parts, '/home/user')
  },
  solution: (parts) => {
    parts.docker.push('RUN mkdir -p /logs/verifier /solution/in')
    parts.answer = '/solution/answer.txt'
  },
  temporary: (parts) => inHome(parts, '/tmp/data'),
  'temporary-file': (parts) => {
    parts.docker.push('COPY numbers.txt /tmp/numbers.txt')
    parts.numbers = '/tmp/numbers.txt'
    parts.answer = '/tmp/answer.txt'
  },
  root: (parts) => inHome(parts, '/root/work'),
  'root-file': (parts) => inHome(parts, '/root'),
  var: (parts) => inHome(parts, '/var/www/html'),
  opt: (parts) => inHome(parts, '/opt/rds'),
  named: (parts) => {
    parts.answer = '/output/answer.txt'
  },
  etc: ({ docker }) => docker.push('COPY numbers.txt /etc/paddock-numbers.txt'),
  uv: (parts) => {
    parts.test = (check) =>
      `apt-get update\napt-get install -y curl\n\ncurl -LsSf https://astral.sh/uv/0.9.7/install.sh | sh\n\nsource $HOME/.local/bin/env\n\nuvx \\\n  --with pytest==8.4.1 \\\n  --with pytest-json-ctrf==0.3.5 \\\n  pytest --ctrf /logs/verifier/ctrf.json ${check} -rA\n\n${reward}`
  },
  document: ({ docker }) =>
    docker.push(
      'RUN <<EOF',
      'mkdir -p /app/more',
      'cat > /app/more/note.txt <<INNER',
      '1 APPLE',
      'INNER',
      'EOF',
      'COPY <<EOF /app/list',
      'FROM 2',
      'EOF',
    ),
  'no-dockerfile': (parts) => {
    parts.hasDockerfile = false
  },
  stages: ({ docker }) => docker.push('FROM debian:12'),
  network: (parts) => {
    const { test } = parts
    parts.test = (check) => `npm install\n${test(check)}`
  },
  'no-reward': (parts) => {
    parts.test = (check) => `python3 ${check}\n`
  },
}

/** The numbers of tasks of each kind, in the proportions of a public collection of 3,566 tasks, and of others. */
const counts: readonly (readonly [kinds: readonly string[], count: number])[] = [
  [['plain'], 13],
  [['named'], 1],
  [['python'], 6],
  [['home'], 4],
  [['solution'], 3],
  [['temporary'], 2],
  [['temporary-file'], 1],
  [['debian'], 2],
  [['root'], 1],
  [['root-file'], 1],
  [['var'], 1],
  [['etc'], 1],
  [['python', 'home'], 3],
  [['python', 'debian'], 3],
  [['home', 'temporary'], 1],
  [['etc', 'debian'], 2],
  [['uv'], 5],
  [['document'], 3],
  [['opt'], 2],
  [['no-dockerfile'], 2],
  [['stages'], 1],
  [['network'], 1],
  [['no-reward'], 1],
]

/** Returns a collection of 60 tasks in Harbor's layout, in an order and with contents that depend only on the seed. */
export function madeCollection(seed: number): MadeTask[] {
  let state = seed >>> 0
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const all = counts.flatMap(([kinds, count]) => Array.from({ length: count }, () => kinds))
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = random(at + 1)
    ;[all[at], all[other]] = [all[other] as readonly string[], all[at] as readonly string[]]
  }
  return all.map((kinds, index) => madeTask(`task-${String(index).padStart(2, '0')}-${kinds.join('-')}`, kinds, random))
}

function madeTask(name: string, kinds: readonly string[], random: (below: number) => number): MadeTask {
  const parts: Parts = {
    workdir: '/app',
    docker: [],
    answer: '/app/answer.txt',
    numbers: '/app/numbers.txt',
    test: (check) => `python3 ${check}\n\n${reward}`,
    hasDockerfile: true,
  }
  for (const each of kinds) changes[each]?.(parts)
  const numbers = Array.from({ length: 3 + random(5) }, () => random(1000))
  const sum = numbers.reduce((total, each) => total + each, 0)
  const docker = [
    'FROM ubuntu:22.04',
    'RUN apt-get update && apt-get install -y python3 && ln -s /usr/bin/python3 /usr/bin/python',
    `WORKDIR ${parts.workdir}`,
    'COPY numbers.txt /app/numbers.txt',
    ...parts.docker,
  ]
  return {
    name,
    kinds,
    files: {
      'task.toml': 'version = "1.0"\n[agent]\ntimeout_sec = 60\n[verifier]\ntimeout_sec = 60\n',
      'instruction.md': `Add the numbers in ${parts.numbers}, and write the sum to ${parts.answer}.\n`,
      ...(parts.hasDockerfile ? { 'environment/Dockerfile': `${docker.join('\n')}\n` } : {}),
      'environment/numbers.txt': `${numbers.join('\n')}\n`,
      'tests/test.sh': `#!/bin/bash\n${parts.test('/tests/test_outputs.py')}`,
      'tests/test_outputs.py': `from pathlib import Path\n\n\ndef test_sum():\n    assert Path("${parts.answer}").read_text().strip() == "${sum}"\n\n\nif __name__ == "__main__":\n    test_sum()\n`,
      'solution/solve.sh': `#!/bin/bash\nawk '{ sum += $1 } END { print sum }' ${parts.numbers} > ${parts.answer}\n`,
    },
  }
}

/** Writes tasks below a directory. */
export async function writeTasks(root: string, tasks: readonly MadeTask[]): Promise<void> {
  for (const { name, files } of tasks)
    for (const [file, text] of Object.entries(files)) {
      const at = path.join(root, name, file)
      await mkdir(path.dirname(at), { recursive: true })
      await writeFile(at, text)
    }
}
