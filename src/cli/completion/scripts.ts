import { allNodes, type CommandNode, wordsAfter } from './tree.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

/** Returns a shell script that completes commands, options and their values, and names of agents, cells, copies and contests, and file names everywhere else. */
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

/** Returns the options of a command whose values are known, as the words between the command and the value. */
function valueOptions(node: CommandNode): { readonly after: string; readonly values: readonly string[] }[] {
  return node.options.flatMap(({ long, short, values }) =>
    values.length === 0 ? [] : [long, short].flatMap((each) => (each === null ? [] : [{ after: `${key(node)} ${each}`, values }])),
  )
}

const key = ({ path }: CommandNode): string => (path === '' ? '' : `/${path.replaceAll(' ', '/')}`)

/** Returns the text in single quotes, in a form that all three shells understand. */
const single = (text: string): string => `'${text.replaceAll('\\', '').replaceAll("'", '’')}'`

function bashScript(tree: CommandNode): string {
  const cases = allNodes(tree).map(
    (node) =>
      `    '${key(node)}') words='${wordsAfter(node)
        .map(({ word }) => word)
        .join(' ')}'${node.kind === null ? '' : ` kind=${node.kind}`} ;;`,
  )
  const values = allNodes(tree)
    .flatMap(valueOptions)
    .map((each) => `    '${each.after}') words='${each.values.join(' ')}' kind='' ;;`)
  return `# Completion of paddock for bash: eval "$(paddock completion bash)"
_paddock() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at='' words='' kind='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [ "\${COMP_WORDS[i]}" != -- ] || return 0
    case "$at/\${COMP_WORDS[i]}" in
      ${steps(tree).join(' | ')}) at="$at/\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ -n "$kind" ] || return 0
  while IFS= read -r word; do
    case "$word" in "$current"*) COMPREPLY+=("$(printf %q "$word")") ;; esac
  done < <(command paddock completion-values "$kind" -- "$current" 2>/dev/null)
}
complete -o default -F _paddock paddock
`
}

function zshScript(tree: CommandNode): string {
  const entry = ({ word, about }: { readonly word: string; readonly about: string }): string =>
    single(about === '' ? word : `${word.replaceAll(':', '\\:')}:${about}`)
  const cases = allNodes(tree).map(
    (node) => `    '${key(node)}') words_=(${wordsAfter(node).map(entry).join(' ')})${node.kind === null ? '' : `; kind=${node.kind}`} ;;`,
  )
  const values = allNodes(tree)
    .flatMap(valueOptions)
    .map((each) => `    '${each.after}') words_=(${each.values.join(' ')}); kind='' ;;`)
  return `#compdef paddock
# Completion of paddock for zsh: paddock completion zsh > "\${fpath[1]}/_paddock", or eval "$(paddock completion zsh)"
_paddock() {
  local at='' word kind='' found=1
  local -a words_ values_
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -- ]] && { _normal; return }
    case "$at/$word" in
      ${steps(tree).join(' | ')}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  case "$at $words[CURRENT-1]" in
${values.join('\n')}
  esac
  if [[ -n $kind ]]; then
    values_=("\${(@f)$(command paddock completion-values $kind -- "$words[CURRENT]" 2>/dev/null)}")
    values_=("\${(@)values_:#}")
    (( $#values_ )) && compadd -a values_ && found=0
  fi
  _describe 'paddock' words_ && found=0
  (( found )) && _files
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
      ...(node.kind === null
        ? []
        : [`complete -c paddock -f ${at} -a '(command paddock completion-values ${node.kind} -- (commandline -ct) 2>/dev/null)'`]),
      ...node.options.map(({ long, short, takesValue, values, about }) =>
        [
          `complete -c paddock ${at}`,
          ...(long === null ? [] : [`-l ${long.slice(2)}`]),
          ...(short === null ? [] : [`-s ${short.slice(1)}`]),
          ...(values.length > 0 ? [`-x -a ${single(values.join(' '))}`] : takesValue ? ['-r'] : []),
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
