/** The formats of `paddock audit export`. */
export const exportFormats = ['jsonl', 'ocsf'] as const
export type ExportFormat = (typeof exportFormats)[number]
