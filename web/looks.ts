/** The page's settings for its appearance in this browser: root attributes with their storage keys and values. Empty means the default. */
export const looks = {
  theme: { title: 'Theme', key: 'theme', values: { '': 'Match the system', light: 'Light', dark: 'Dark' } },
  density: { title: 'Rows', key: 'paddock.density', values: { '': 'Compact', comfortable: 'Comfortable' } },
  terminal: { title: 'Terminal', key: 'paddock.terminal', values: { '': 'Always dark', theme: 'Match the theme' } },
} as const
export type Look = keyof typeof looks
