import type { Posture } from '../base/posture.ts'

/** The facts about a project and the wishes for an agent on it, each as short phrases. */
export interface AdviceFacts {
  /** Where the agent reads text that others wrote (`untrustedContent`). */
  readonly untrusted: readonly string[]
  /** Code that others wrote and that the agent would run: a young clone, recent commits by others. */
  readonly foreignCode: readonly string[]
  /** Files in the project that look as if they contain secrets. */
  readonly secrets: readonly string[]
  /** Remotes that a credential in reach can push to. */
  readonly pushes: readonly string[]
  /** Directories of PATH in the home that cells of L2 do not have. */
  readonly missingTools: readonly string[]
}

/** The web tool of an agent that `--no-web-tools` removes, as in `untrusted`. */
export interface RemovableTool {
  readonly agent: string
  readonly webTool: string
}

/** A recommended isolation level. `why`: sentences, each with what was found. `commands`: what to do, ready to paste. */
export interface Advice {
  readonly posture: Posture
  readonly why: readonly string[]
  readonly commands: readonly string[]
}

/**
 * Returns the isolation level for a use, and why. L3 for code of others next to something worth stealing, because only a kernel of its own
 * withstands code that attacks the kernel. L1 only for your own code without text of others, and only if L2 lacks a toolchain. Otherwise L2.
 */
export function adviseOn(facts: AdviceFacts, removable: RemovableTool | null = null): Advice {
  const { untrusted, foreignCode, secrets, pushes, missingTools } = facts
  const found = (what: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`${what}: ${items.slice(0, 3).join(', ')}${items.length > 3 ? ` and ${items.length - 3} more` : ''}.`]
  const reasons = [
    ...found('Code of others would run', foreignCode),
    ...found('The agent reads text of others', untrusted),
    ...found('Secrets are in sight', secrets),
    ...found('A credential in reach can push to', pushes),
  ]
  const atStake = secrets.length + pushes.length > 0
  if (foreignCode.length > 0 && atStake)
    return {
      posture: 'L3',
      why: [...reasons, 'Code that attacks the kernel can leave every cell below L3, and there is something to take.'],
      commands: [
        'run Paddock in a virtual machine without these secrets (L3 is not built yet)',
        ...secrets.slice(0, 3).map((each) => `paddock run --mask ${each} …`),
      ],
    }
  if (reasons.length > 0 || missingTools.length === 0)
    return {
      posture: 'L2',
      why: reasons.length > 0 ? reasons : ['Nothing here needs more of your files than a cell of L2 has.'],
      commands: [
        // If it is the only source, the run without it lacks a part of the lethal trifecta.
        ...(removable !== null && untrusted.every((each) => each === removable.webTool) && untrusted.length > 0
          ? [`paddock run --no-web-tools ${removable.agent} …`]
          : []),
        ...(untrusted.length > 0 && secrets.length > 0 ? [`paddock run --mask ${secrets[0]} …`] : []),
        ...missingTools.slice(0, 1).map((each) => `paddock run --ro ${each} …`),
      ],
    }
  return {
    posture: 'L1',
    why: [...found('Cells of L2 do not have these directories of your PATH', missingTools), 'Code and text are your own.'],
    commands: ['paddock run --posture L1 …'],
  }
}
