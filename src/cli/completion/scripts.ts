import { allNodes, type CommandNode, wordsAfter } from './tree.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

/** Returns a shell script that completes commands, options and agent names of paddock, and file names everywhere else. */
export function completionScript(shell: Shell, tree: CommandNode): string {
  if (shell === 'bash') return bashScript(tree)
  return shell === 'zsh' ? zshScript(tree) : fishScript(tree)
}

/** Returns the paths of all commands. An argument that continues one of these paths goes one level down. */
function steps(tree: CommandNode): string[] {
  return allNodes(tree)
    .filter(({ path }) => path !== '')
    .map(({ path }) => `/${path.replaceAll(' ', '/')}`)
}

const key = ({ path }: CommandNode): string => (path === '' ? '' : `/${path.replaceAll(' ', '/')}`)

/** Returns the text in single quotes, in a form that all three shells understand. */
const single = (text: string): string => `'${text.replaceAll('\\', '').replaceAll("'", '’')}'`

function bashScript(tree: CommandNode): string {
  const cases = allNodes(tree).map(
    (node) =>
      `    '${key(node)}') words='${wordsAfter(node)
        .map(({ word }) => word)
        .join(' ')}' ;;`,
  )
  return `# Completion of paddock for bash: eval "$(paddock completion bash)"
_paddock() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [ "\${COMP_WORDS[i]}" != -- ] || return 0
    case "$at/\${COMP_WORDS[i]}" in
      ${steps(tree).join(' | ')}) at="$at/\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _paddock paddock
`
}

function zshScript(tree: CommandNode): string {
  const entry = ({ word, about }: { readonly word: string; readonly about: string }): string =>
    single(about === '' ? word : `${word.replaceAll(':', '\\:')}:${about}`)
  const cases = allNodes(tree).map((node) => `    '${key(node)}') words_=(${wordsAfter(node).map(entry).join(' ')}) ;;`)
  return `#compdef paddock
# Completion of paddock for zsh: paddock completion zsh > "\${fpath[1]}/_paddock", or eval "$(paddock completion zsh)"
_paddock() {
  local at='' word
  local -a words_
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -- ]] && { _normal; return }
    case "$at/$word" in
      ${steps(tree).join(' | ')}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  _describe 'paddock' words_ || _files
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _paddock "$@"; else compdef _paddock paddock; fi
`
}

function fishScript(tree: CommandNode): string {
  const lines = allNodes(tree).flatMap((node) => {
    const at = `-n '__paddock_at ${key(node) === '' ? '/' : key(node)}'`
    return [
      ...node.commands.map(({ name, summary }) => `complete -c paddock -f ${at} -a ${name} -d ${single(summary)}`),
      ...node.words.map((word) => `complete -c paddock -f ${at} -a ${word}`),
      ...node.options.map(({ long, short, takesValue, about }) =>
        [
          `complete -c paddock ${at}`,
          ...(long === null ? [] : [`-l ${long.slice(2)}`]),
          ...(short === null ? [] : [`-s ${short.slice(1)}`]),
          ...(takesValue ? ['-r'] : []),
          `-d ${single(about)}`,
        ].join(' '),
      ),
    ]
  })
  return `# Completion of paddock for fish: paddock completion fish > ~/.config/fish/completions/paddock.fish
function __paddock_at
  set -l at ''
  for word in (commandline -opc)[2..]
    test "$word" = --; and return 1
    if contains -- "$at/$word" ${steps(tree).join(' ')}
      set at "$at/$word"
    end
  end
  test "$argv[1]" = "$at"; or test "$argv[1]" = / -a -z "$at"
end
${lines.join('\n')}
`
}
